import type { SystemGroupName } from '../../src/features/organization-settings/organization-settings';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { channelRecord, createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { peopleAlone, systemGroupId } from '../support/group-setup';
import { fetchIds, fetchMessage, fetchMessages, moveIn, sendTo } from '../support/message-setup';
import { expectConsistentRows, rowsOf, topicRows } from '../support/message-state';
import { changeOrganization, giveInOrganization } from '../support/organization-setup';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';

let app: TestApp;
let channels = 0;
const clock = new OffsetClock();

beforeAll(async () => {
  app = await TestApp.start({ clock });
});

afterAll(() => app.stop());

afterEach(() => expectConsistentRows(app));

/** A new channel of Mia's, with these people beside her. */
const channelWith = (people: readonly Member[] = [app.cast.max], options: Parameters = {}) =>
  createChannelWith(app, app.cast.mia, people, `moves ${++channels}`, options);

/** Moves without notices. */
const move = (member: Member, id: number, changes: Parameters) =>
  app.as(member).patch(`/messages/${id}`, { send_notification_to_new_thread: false, ...changes });
const change = (parameters: Parameters) => changeOrganization(app, parameters);
const setGroup = (setting: string, group: SystemGroupName) => giveInOrganization(app, setting, group);

const fill = async (channel: number, topic: string, count: number, sender = app.cast.mia) => {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push(await sendTo(app, sender, channel, topic, `${topic} ${i}`));
  return ids;
};
const inTopic = (channel: number, topic: string) =>
  fetchIds(app, app.cast.mia, [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: topic },
  ]);

const MAY_NOT_EDIT = "You don't have permission to edit this message";

describe('Moving to another topic', () => {
  it.each([
    ['change_one', [1]],
    ['change_later', [1, 2]],
    ['change_all', [0, 1, 2]],
  ] as const)('takes with %s the messages %j', async (mode, moved) => {
    const { mia, max } = app.cast;
    const channel = await channelWith();
    const ids = await fill(channel, 'lunch', 3);
    const expected = moved.map((at) => ids[at] as number);
    const events = await app.captureEvents(async () => {
      expectSuccess(await move(max, ids[1] as number, { topic: 'dinner', propagate_mode: mode }));
    });
    expect(events.filter(({ event }) => !/topic/.test(event.type))).toEqual([
      expect.objectContaining({
        event: {
          type: 'update_message',
          user_id: max.id,
          edit_timestamp: expect.any(Number),
          message_id: ids[1],
          message_ids: expected,
          flags: [],
          rendering_only: false,
          stream_id: channel,
          stream_name: `moves ${channels}`,
          propagate_mode: mode,
          orig_subject: 'lunch',
          subject: 'dinner',
          topic_links: [],
        },
        audience: [max.id, mia.id],
      }),
    ]);
    await expect(inTopic(channel, 'dinner')).resolves.toEqual(expected);
    await expect(inTopic(channel, 'lunch')).resolves.toEqual(ids.filter((id) => !expected.includes(id)));
    const shown = await fetchMessage(app, mia, ids[1] as number);
    expect(shown).toMatchObject({ subject: 'dinner', last_moved_timestamp: expect.any(Number) });
    expect(shown).not.toHaveProperty('last_edit_timestamp');
  });

  it('joins what is there already, in whatever case', async () => {
    const { mia } = app.cast;
    const channel = await channelWith();
    const [first] = await fill(channel, 'Dinner', 1);
    const ids = await fill(channel, 'lunch', 2);
    const events = await app.captureEvents(async () => {
      expectSuccess(await move(mia, ids[0] as number, { topic: 'dinner', propagate_mode: 'change_all' }));
    });
    expect(moveIn(events)?.event).toMatchObject({ message_ids: ids, subject: 'Dinner' });
    await expect(inTopic(channel, 'dinner')).resolves.toEqual([first, ...ids]);
    await expect(topicRows(app, channel)).resolves.toEqual([{ name: 'Dinner', max: ids[1], count: 3 }]);
  });

  it('may be a matter of spelling', async () => {
    const { mia } = app.cast;
    const channel = await channelWith();
    const ids = await fill(channel, 'lunch', 2);
    const events = await app.captureEvents(async () => {
      expectSuccess(await move(mia, ids[0] as number, { topic: 'Lunch', propagate_mode: 'change_all' }));
    });
    expect(moveIn(events)?.event).toMatchObject({
      message_ids: ids,
      orig_subject: 'lunch',
      subject: 'Lunch',
    });
    await expect(topicRows(app, channel)).resolves.toEqual([{ name: 'Lunch', max: ids[1], count: 2 }]);
  });

  it.each(['change_one', 'change_later'])(
    'spells a topic otherwise as a whole, with %s too',
    async (mode) => {
      const { mia } = app.cast;
      const channel = await channelWith();
      const ids = await fill(channel, 'lunch', 3);
      const events = await app.captureEvents(async () => {
        expectSuccess(await move(mia, ids[1] as number, { topic: 'Lunch', propagate_mode: mode }));
      });
      expect(moveIn(events)?.event).toMatchObject({
        message_id: ids[1],
        message_ids: ids,
        propagate_mode: 'change_all',
        orig_subject: 'lunch',
        subject: 'Lunch',
      });
      await expect(topicRows(app, channel)).resolves.toEqual([{ name: 'Lunch', max: ids[2], count: 3 }]);
    },
  );

  it('may come with new content', async () => {
    const { mia } = app.cast;
    const channel = await channelWith();
    const ids = await fill(channel, 'lunch', 2);
    const events = await app.captureEvents(async () => {
      const changes = { topic: 'dinner', propagate_mode: 'change_all', content: 'stew' };
      expectSuccess(await move(mia, ids[1] as number, changes));
    });
    expect(events.filter(({ event }) => event.type === 'update_message')).toHaveLength(1);
    expect(moveIn(events)?.event).toMatchObject({
      message_id: ids[1],
      message_ids: ids,
      content: 'stew',
      orig_content: 'lunch 1',
      subject: 'dinner',
      orig_subject: 'lunch',
    });
    await expect(fetchMessage(app, mia, ids[0] as number)).resolves.toMatchObject({
      content: '<p>lunch 0</p>',
      subject: 'dinner',
    });
  });

  it('goes to and from the empty topic', async () => {
    const { mia } = app.cast;
    const channel = await channelWith();
    const [id] = (await fill(channel, 'lunch', 1)) as [number];
    const there = await app.captureEvents(async () =>
      expectSuccess(await move(mia, id, { topic: 'general chat' })),
    );
    expect(moveIn(there)?.event).toMatchObject({ orig_subject: 'lunch', subject: '', topic_links: [] });
    const subject = 'see https://example.com';
    const back = await app.captureEvents(async () => expectSuccess(await move(mia, id, { topic: subject })));
    expect(moveIn(back)?.event).toMatchObject({
      orig_subject: '',
      subject,
      topic_links: [{ text: 'https://example.com', url: 'https://example.com' }],
    });
  });

  it('of protected history takes only what the mover can see', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([], { invite_only: true, history_public_to_subscribers: false });
    const unseen = await fill(channel, 'lunch', 2);
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions', {
        subscriptions: [{ name: `moves ${channels}` }],
        principals: [max.id],
      }),
    );
    const seen = await fill(channel, 'lunch', 2);
    expectSuccess(await move(max, seen[1] as number, { topic: 'dinner', propagate_mode: 'change_all' }));
    await expect(inTopic(channel, 'dinner')).resolves.toEqual(seen);
    await expect(inTopic(channel, 'lunch')).resolves.toEqual(unseen);
    const events = await app.captureEvents(async () => {
      expectSuccess(await move(max, seen[0] as number, { topic: 'Dinner', propagate_mode: 'change_one' }));
      await sendTo(app, mia, channel, 'dinner');
      expectSuccess(await move(mia, unseen[0] as number, { topic: 'dinner' }));
      expectSuccess(await move(max, seen[0] as number, { topic: 'DINNER' }));
    });
    const told = events.map(({ event }) => event).filter(({ type }) => type === 'update_message');
    expect(told.at(-1)).toMatchObject({ message_ids: await inTopic(channel, 'dinner'), subject: 'DINNER' });
  });

  it('obeys the policies of the channel about topics', async () => {
    const { mia, olivia } = app.cast;
    const channel = await channelWith();
    const [id] = (await fill(channel, 'lunch', 1)) as [number];
    expectSuccess(
      await app.as(olivia).patch(`/streams/${channel}`, { topics_policy: 'disable_empty_topic' }),
    );
    expectError(
      await move(mia, id, { topic: '' }),
      'Sending messages to the general chat is not allowed in this channel.',
      { data: { empty_topic_display_name: 'general chat' } },
    );
    expectSuccess(
      await app.as(olivia).patch(`/streams/${channel}`, {
        can_create_topic_group: { new: systemGroupId(app, 'role:moderators') },
      }),
    );
    await fill(channel, 'lunch', 1);
    expectError(
      await move(mia, id, { topic: 'dinner' }),
      'You do not have permission to create topics in this channel.',
    );
    expectSuccess(await move(mia, id, { topic: '✔ lunch', propagate_mode: 'change_all' }));
    const empty = await channelWith();
    expectSuccess(await app.as(olivia).patch(`/streams/${empty}`, { topics_policy: 'empty_topic_only' }));
    expectError(
      await move(mia, id, { stream_id: empty }),
      'Only the general chat topic is allowed in this channel.',
      { data: { empty_topic_display_name: 'general chat' } },
    );
  });
});

describe('Moving to another channel', () => {
  it('keeps who received the messages, and what is known of channels and topics', async () => {
    const { mia, max, mona } = app.cast;
    const from = await channelWith([max]);
    const to = await channelWith([max, mona]);
    const [kept] = await fill(from, 'other', 1);
    const ids = (await fill(from, 'lunch', 2)) as [number, number];
    const later = await fill(to, 'dinner', 1);
    const events = await app.captureEvents(async () => {
      const changes = { stream_id: to, topic: 'dinner', propagate_mode: 'change_all' };
      expectSuccess(await move(mia, ids[0], changes));
    });
    expect(events.map((each) => each.event).filter(({ type }) => type !== 'user_topic')).toEqual([
      expect.objectContaining({
        type: 'update_message',
        message_id: ids[0],
        message_ids: ids,
        stream_id: from,
        stream_name: `moves ${channels - 1}`,
        new_stream_id: to,
        orig_subject: 'lunch',
        subject: 'dinner',
      }),
      expect.objectContaining({ property: 'first_message_id', stream_id: to, value: ids[0] }),
    ]);
    const { event, audience, options } = moveIn(events) ?? { event: {}, audience: [], options: {} };
    expect(audience).toEqual([mona.id, max.id, mia.id].sort((a, b) => a - b));
    expect(options.personal?.get(mona.id)?.flags ?? event.flags).toEqual(['read', 'historical']);
    expect(options.personal?.get(max.id)?.flags ?? event.flags).toEqual([]);
    await expect(inTopic(to, 'dinner')).resolves.toEqual([...ids, ...later]);
    await expect(topicRows(app, from)).resolves.toEqual([{ name: 'other', max: kept, count: 1 }]);
    await expect(topicRows(app, to)).resolves.toEqual([{ name: 'dinner', max: later[0], count: 3 }]);
    await expect(channelRecord(app, to)).resolves.toMatchObject({ first_message_id: ids[0] });
    const mine = await fetchMessages(app, max, []);
    expect(mine.body.messages.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining(ids));
    await expect(fetchIds(app, mona, [])).resolves.not.toContain(ids[0]);
  });

  it('leaves the topic its name where no other is given', async () => {
    const { mia } = app.cast;
    const [from, to] = [await channelWith(), await channelWith()];
    const ids = (await fill(from, 'lunch', 2)) as [number, number];
    const events = await app.captureEvents(async () =>
      expectSuccess(await move(mia, ids[0], { stream_id: to })),
    );
    expect(moveIn(events)?.event).toMatchObject({
      orig_subject: 'lunch',
      new_stream_id: to,
      message_ids: [ids[0]],
    });
    expect(moveIn(events)?.event).not.toHaveProperty('subject');
    expect(moveIn(events)?.event).not.toHaveProperty('topic_links');
    await expect(inTopic(to, 'lunch')).resolves.toEqual([ids[0]]);
  });

  it('names its own channel where the request does', async () => {
    const { mia } = app.cast;
    const channel = await channelWith();
    const [id] = (await fill(channel, 'lunch', 1)) as [number];
    const eventOf = async (changes: Parameters) => {
      const events = await app.captureEvents(async () => expectSuccess(await move(mia, id, changes)));
      return moveIn(events)?.event;
    };
    expect(await eventOf({ stream_id: channel, topic: 'dinner' })).toMatchObject({
      stream_id: channel,
      new_stream_id: channel,
      subject: 'dinner',
    });
    expect(await eventOf({ topic: 'supper' })).not.toHaveProperty('new_stream_id');
  });

  it('and back is as if nothing had been', async () => {
    const { mia } = app.cast;
    const [from, to] = [await channelWith(), await channelWith()];
    const ids = (await fill(from, 'lunch', 2)) as [number, number];
    const rows = () =>
      rowsOf(app, 'SELECT id, channel_id, sent_channel_id FROM message WHERE id IN (?) ORDER BY id', [ids]);
    const before = await rows();
    expectSuccess(await move(mia, ids[1], { stream_id: to, propagate_mode: 'change_all' }));
    await expect(rows()).resolves.toMatchObject([{ sent_channel_id: from }, { sent_channel_id: from }]);
    await expect(channelRecord(app, from)).resolves.toMatchObject({ first_message_id: null });
    await expect(topicRows(app, from)).resolves.toEqual([]);
    expectSuccess(await move(mia, ids[1], { stream_id: from, propagate_mode: 'change_all' }));
    await expect(rows()).resolves.toEqual(before);
    await expect(channelRecord(app, from)).resolves.toMatchObject({ first_message_id: ids[0] });
  });

  it('wakes a channel that was silent', async () => {
    const { mia, mona } = app.cast;
    const [from, to] = [await channelWith([mona]), await channelWith([mona])];
    clock.aheadMs += 200 * 86_400_000;
    const [id] = (await fill(from, 'lunch', 1, mona)) as [number];
    await expect(channelRecord(app, to)).resolves.toMatchObject({ is_recently_active: false });
    const events = await app.captureEvents(async () => expectSuccess(await move(mia, id, { stream_id: to })));
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ property: 'is_recently_active', value: true, stream_id: to }),
    );
    await expect(channelRecord(app, to)).resolves.toMatchObject({ is_recently_active: true });
  });
});

describe('Who may move messages', () => {
  it('between topics: `can_move_messages_between_topics_group`, or the group of the channel [VER-396]', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith();
    const [id] = (await fill(channel, 'lunch', 1)) as [number];
    await setGroup('can_move_messages_between_topics_group', 'role:moderators');
    for (const member of [mia, max]) expectError(await move(member, id, { topic: 'x' }), MAY_NOT_EDIT);
    expectSuccess(await move(app.cast.mona, id, { topic: 'x' }));
    expectSuccess(
      await app.as(mia).patch(`/streams/${channel}`, {
        can_move_messages_within_channel_group: { new: peopleAlone(max) },
      }),
    );
    expectError(await move(mia, id, { topic: 'y' }), MAY_NOT_EDIT);
    expectSuccess(await move(max, id, { topic: 'y' }));
    await setGroup('can_move_messages_between_topics_group', 'role:everyone');
  });

  it('between channels: `can_move_messages_between_channels_group`, or the group of the channel they leave', async () => {
    const { mia, max, gus } = app.cast;
    const [from, to] = [await channelWith([max, gus]), await channelWith([max, gus])];
    const [id] = (await fill(from, 'lunch', 1)) as [number];
    const refused = "You don't have permission to move this message";
    expectError(await move(gus, id, { stream_id: to }), refused);
    await setGroup('can_move_messages_between_channels_group', 'role:moderators');
    for (const member of [mia, max]) expectError(await move(member, id, { stream_id: to }), refused);
    expectSuccess(
      await app.as(mia).patch(`/streams/${from}`, {
        can_move_messages_out_of_channel_group: { new: peopleAlone(max) },
      }),
    );
    expectSuccess(await move(max, id, { stream_id: to }));
    await setGroup('can_move_messages_between_channels_group', 'role:members');
  });

  it('into a channel: those who may post there', async () => {
    const { mia, max } = app.cast;
    const from = await channelWith();
    const [id] = (await fill(from, 'lunch', 1)) as [number];
    const closed = await channelWith();
    expectSuccess(
      await app.as(mia).patch(`/streams/${closed}`, { can_send_message_group: { new: peopleAlone(mia) } }),
    );
    expectError(
      await move(max, id, { stream_id: closed }),
      'You do not have permission to post in this channel.',
    );
    const secret = await channelWith([], { invite_only: true });
    expectError(await move(max, id, { stream_id: secret }), 'Invalid channel ID');
    expectError(await move(app.cast.adam, id, { stream_id: secret }), 'Invalid channel ID');
    const archived = await channelWith();
    expectSuccess(await app.as(app.cast.olivia).delete(`/streams/${archived}`));
    expectError(await move(mia, id, { stream_id: archived }), 'Invalid channel ID');
  });

  it('marks topics as resolved: `can_resolve_topics_group`, or the group of the channel', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith();
    const [id] = (await fill(channel, 'lunch', 2)) as [number];
    await setGroup('can_move_messages_between_topics_group', 'role:nobody');
    const resolve = { topic: '✔ lunch', propagate_mode: 'change_all' };
    expectError(await move(mia, id, { topic: '✔ lunch' }), MAY_NOT_EDIT);
    expectSuccess(await move(mia, id, resolve));
    expectSuccess(await move(mia, id, { ...resolve, topic: 'lunch' }));
    await setGroup('can_resolve_topics_group', 'role:moderators');
    const refused = "You don't have permission to resolve topics in this channel.";
    expectError(await move(max, id, resolve), refused);
    for (const mode of ['change_one', 'change_later']) {
      expectError(await move(max, id, { ...resolve, propagate_mode: mode }), refused);
    }
    expectSuccess(
      await app.as(mia).patch(`/streams/${channel}`, { can_resolve_topics_group: { new: peopleAlone(max) } }),
    );
    expectSuccess(await move(max, id, resolve));
    expectError(await move(mia, id, { ...resolve, topic: 'lunch' }), refused);
    await setGroup('can_resolve_topics_group', 'role:everyone');
    await setGroup('can_move_messages_between_topics_group', 'role:everyone');
  });
});

describe('Time limits of moves', () => {
  const WEEK_MS = 604_800_000;

  it('hold for topics, but not for moderators and not for marking as resolved', async () => {
    const { mia, mona, max } = app.cast;
    const channel = await channelWith([max, mona]);
    const [id] = (await fill(channel, 'lunch', 1)) as [number];
    clock.aheadMs += WEEK_MS + 15_000;
    expectSuccess(await move(max, id, { topic: 'dinner' }));
    clock.aheadMs += 10_000;
    expectError(
      await move(max, id, { topic: 'late' }),
      "The time limit for editing this message's topic has passed.",
    );
    expectSuccess(await move(mona, id, { topic: 'late' }));
    expectSuccess(await move(mia, id, { topic: '✔ late', propagate_mode: 'change_all' }));
    await change({ move_messages_within_stream_limit_seconds: 'unlimited' });
    expectSuccess(await move(max, id, { topic: 'any time' }));
    await change({ move_messages_within_stream_limit_seconds: 604_800 });
  });

  it('hold for channels', async () => {
    const { mona, max } = app.cast;
    const [from, to] = [await channelWith([max, mona]), await channelWith([max, mona])];
    const [first, second] = (await fill(from, 'lunch', 2)) as [number, number];
    clock.aheadMs += WEEK_MS + 25_000;
    expectError(
      await move(max, first, { stream_id: to }),
      "The time limit for editing this message's channel has passed",
    );
    expectSuccess(await move(mona, first, { stream_id: to }));
    await change({ move_messages_between_streams_limit_seconds: 'unlimited' });
    expectSuccess(await move(max, second, { stream_id: to }));
    await change({ move_messages_between_streams_limit_seconds: 604_800 });
  });

  it('keep a topic together: of one that is partly too old, nothing moves as a whole', async () => {
    const { mona, max } = app.cast;
    const [channel, other] = [await channelWith([max, mona]), await channelWith([max, mona])];
    await fill(channel, 'lunch', 2);
    clock.aheadMs += WEEK_MS + 25_000;
    const recent = (await fill(channel, 'lunch', 3)) as [number, number, number];
    const all = { propagate_mode: 'change_all' };
    for (const changes of [{ topic: 'dinner' }, { stream_id: other }, { topic: 'x', stream_id: other }]) {
      expectError(
        await move(max, recent[1], { ...changes, ...all }),
        'You only have permission to move the 3/5 most recent messages in this topic.',
        {
          code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
          data: {
            first_message_id_allowed_to_move: recent[0],
            total_messages_in_topic: 5,
            total_messages_allowed_to_move: 3,
          },
        },
      );
    }
    expectSuccess(await move(max, recent[0], { topic: 'dinner', propagate_mode: 'change_later' }));
    await expect(inTopic(channel, 'dinner')).resolves.toEqual(recent);
    const [left] = await inTopic(channel, 'lunch');
    expectSuccess(await move(mona, left as number, { topic: 'dinner', ...all }));
    await expect(inTopic(channel, 'lunch')).resolves.toEqual([]);
  });
});

describe('Resolving a topic', () => {
  it('is a move that counts as none', async () => {
    const { mia } = app.cast;
    const channel = await channelWith();
    const ids = (await fill(channel, 'lunch', 2)) as [number, number];
    const events = await app.captureEvents(async () => {
      expectSuccess(await move(mia, ids[0], { topic: '✔ lunch', propagate_mode: 'change_all' }));
    });
    expect(moveIn(events)?.event).toMatchObject({
      message_ids: ids,
      subject: '✔ lunch',
      orig_subject: 'lunch',
    });
    const shown = await fetchMessage(app, mia, ids[0]);
    expect(shown).toMatchObject({ subject: '✔ lunch' });
    expect(shown).not.toHaveProperty('last_moved_timestamp');
    await expect(fetchIds(app, mia, [['is', 'resolved']])).resolves.toEqual(expect.arrayContaining(ids));
  });

  it('may make the name too long, which is cut', async () => {
    const { mia } = app.cast;
    const long = 'x'.repeat(60);
    const channel = await channelWith();
    const [id] = (await fill(channel, long, 1)) as [number];
    await setGroup('can_move_messages_between_topics_group', 'role:nobody');
    expectSuccess(await move(mia, id, { topic: `✔ ${long}`, propagate_mode: 'change_all' }));
    await setGroup('can_move_messages_between_topics_group', 'role:everyone');
    await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({ subject: `✔ ${'x'.repeat(55)}...` });
  });
});
