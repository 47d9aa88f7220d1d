import type { Member } from '../support/cast';
import { createChannel, createGroup } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { copyMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
});

afterAll(() => app.stop());

/** Each test looks at somebody who has read everything. */
beforeEach(async () => {
  for (const member of [app.cast.max, app.cast.mia])
    expectSuccess(await app.as(member).post('/mark_all_as_read'));
});

const channelWith = (...members: Member[]) =>
  createChannel(app, app.cast.mia, `channel ${++channels}`, { principals: members.map(({ id }) => id) });

const TYPES = ['message', 'update_message_flags'];
const NOTHING = { count: 0, pms: [], huddles: [], streams: [], mentions: [], old_unreads_missing: false };

const unreadOf = async (member: Member | null, capabilities: string[] = ['empty_topic_name']) =>
  (await stateOf(app, member, { wanted: TYPES, capabilities })).unread_msgs;
const starredOf = async (member: Member | null) =>
  (await stateOf(app, member, { wanted: ['starred_messages'] })).starred_messages;

const change = async (member: Member, op: string, flag: string, messages: number[]) =>
  expectSuccess(await app.as(member).post('/messages/flags', { messages, op, flag }));

describe('unread_msgs', () => {
  it('has the unread messages by conversation', async () => {
    const { mia, max, mona, adam } = app.cast;
    await expect(unreadOf(max)).resolves.toEqual(NOTHING);
    const [first, second] = [await channelWith(mia, max), await channelWith(mia, max)];
    const soup = [await sendTo(app, mia, first, 'Soup'), await sendTo(app, mia, first, 'soup')];
    const salad = await sendTo(app, mia, second, 'salad');
    const bread = await sendTo(app, mia, second, 'bread');
    const withMia = [await sendDirect(app, mia, [max]), await sendDirect(app, max, [mia])];
    const withMona = await sendDirect(app, mona, [max]);
    const self = await sendDirect(app, max, [max]);
    const group = [await sendDirect(app, mia, [max, mona]), await sendDirect(app, max, [mona, mia])];
    const larger = await sendDirect(app, adam, [max, mona, mia]);
    const members = (...people: Member[]) =>
      people
        .map(({ id }) => id)
        .sort((a, b) => a - b)
        .join(',');
    const pair = (member: Member, ...ids: number[]) => ({
      other_user_id: member.id,
      sender_id: member.id,
      unread_message_ids: ids,
    });
    const unread = await unreadOf(max);
    expect(unread).toEqual({
      ...NOTHING,
      count: 11,
      pms: [pair(max, self), pair(mia, ...withMia), pair(mona, withMona)].sort(
        (a, b) => a.other_user_id - b.other_user_id,
      ),
      huddles: [
        { user_ids_string: members(mia, max, mona), unread_message_ids: group },
        { user_ids_string: members(mia, max, mona, adam), unread_message_ids: [larger] },
      ].sort((a, b) => (a.user_ids_string < b.user_ids_string ? -1 : 1)),
      streams: [
        { stream_id: first, topic: 'soup', unread_message_ids: soup },
        { stream_id: second, topic: 'bread', unread_message_ids: [bread] },
        { stream_id: second, topic: 'salad', unread_message_ids: [salad] },
      ],
    });
    await change(max, 'add', 'read', [...soup, withMona, larger]);
    await expect(unreadOf(max)).resolves.toMatchObject({ count: 7 });
  });

  it('lists muted messages and does not count them', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith(mia, max);
    const [plain, followed] = [
      await sendTo(app, mia, channel, 'plain'),
      await sendTo(app, mia, channel, 'followed', '@**all**'),
    ];
    const visibility = (topic: string, visibility_policy: number) =>
      app.as(max).post('/user_topics', { stream_id: channel, topic, visibility_policy });
    expectSuccess(await visibility('followed', 3));
    await expect(unreadOf(max)).resolves.toMatchObject({ count: 2 });
    const mute = { stream_id: channel, property: 'is_muted', value: true };
    expectSuccess(
      await app.as(max).post('/users/me/subscriptions/properties', { subscription_data: [mute] }),
    );
    await expect(unreadOf(max)).resolves.toEqual({
      ...NOTHING,
      count: 1,
      mentions: [followed],
      streams: [
        { stream_id: channel, topic: 'followed', unread_message_ids: [followed] },
        { stream_id: channel, topic: 'plain', unread_message_ids: [plain] },
      ],
    });
    expectSuccess(await visibility('followed', 1));
    await expect(unreadOf(max)).resolves.toMatchObject({ count: 0, mentions: [] });
  });

  it('names mentions: in person, through groups, and by wildcards', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith(mia, max);
    await createGroup(app, 'cooks', [max.id]);
    await sendTo(app, max, channel, 'x');
    await sendTo(app, mia, channel, 'x');
    const ids: number[] = [];
    for (const content of ['@**Max Member**', '@*cooks*', '@**all**', '@**topic**']) {
      ids.push(await sendTo(app, mia, channel, 'x', content));
    }
    await expect(unreadOf(max)).resolves.toMatchObject({ count: 6, mentions: ids });
  });

  it('leaves out channels that were left, and archived ones unless the client knows such', async () => {
    const { mia, max, olivia } = app.cast;
    const [left, archived] = [await channelWith(mia, max), await channelWith(mia, max)];
    await sendTo(app, mia, left, 'x');
    const id = await sendTo(app, mia, archived, 'x');
    const subscriptions = [`channel ${channels - 1}`];
    expectSuccess(await app.as(max).delete('/users/me/subscriptions', { subscriptions }));
    expectSuccess(await app.as(olivia).delete(`/streams/${archived}`));
    await expect(unreadOf(max)).resolves.toEqual(NOTHING);
    await expect(unreadOf(max, ['archived_channels'])).resolves.toMatchObject({
      count: 1,
      streams: [{ stream_id: archived, topic: 'x', unread_message_ids: [id] }],
    });
  });

  it('shows the empty topic by its name to clients that do not know it', async () => {
    const { mia, max } = app.cast;
    await sendTo(app, mia, await channelWith(mia, max), '');
    await expect(unreadOf(max)).resolves.toMatchObject({ streams: [{ topic: '' }] });
    await expect(unreadOf(max, [])).resolves.toMatchObject({ streams: [{ topic: 'general chat' }] });
  });

  it('has the newest 50,000, and says when there are more', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith(mia, max);
    const first = await sendTo(app, mia, channel, 'x');
    const ids = [first, ...(await copyMessage(app, first, 49_999))];
    const list = (unread: number[]) => [{ stream_id: channel, topic: 'x', unread_message_ids: unread }];
    await expect(unreadOf(max)).resolves.toEqual({ ...NOTHING, count: 50_000, streams: list(ids) });
    const last = await sendTo(app, mia, channel, 'x');
    await expect(unreadOf(max)).resolves.toEqual({
      ...NOTHING,
      count: 50_000,
      streams: list([...ids.slice(1), last]),
      old_unreads_missing: true,
    });
  });

  it('is empty for somebody without an account', async () => {
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
    await expect(unreadOf(null)).resolves.toEqual(NOTHING);
    await expect(starredOf(null)).resolves.toEqual([]);
  });
});

describe('starred_messages', () => {
  it('has what is starred, ascending, as long as it is in reach', async () => {
    const { mia, max } = app.cast;
    const own = await channelWith(mia, max);
    const secret = await createChannel(app, mia, 'secret', {
      invite_only: true,
      principals: [mia.id, max.id],
    });
    const foreign = await channelWith(mia);
    const ids = [
      await sendTo(app, mia, own, 'x'),
      await sendTo(app, mia, secret, 'x'),
      await sendTo(app, mia, foreign, 'x'),
      await sendDirect(app, mia, [max]),
    ];
    await expect(starredOf(max)).resolves.toEqual([]);
    await change(max, 'add', 'starred', [...ids].reverse());
    await change(max, 'add', 'collapsed', [await sendTo(app, mia, own, 'x')]);
    await expect(starredOf(max)).resolves.toEqual(ids);
    expectSuccess(await app.as(max).delete('/users/me/subscriptions', { subscriptions: ['secret'] }));
    await expect(starredOf(max)).resolves.toEqual(ids.filter((id) => id !== ids[1]));
    await change(max, 'remove', 'starred', ids.slice(2));
    await expect(starredOf(max)).resolves.toEqual([ids[0]]);
    await expect(starredOf(mia)).resolves.toEqual([]);
  });
});
