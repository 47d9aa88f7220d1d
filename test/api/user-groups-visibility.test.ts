import { Role } from '../../src/platform/actor';
import type { CapturedEvent } from '../support/event-capture';
import { createChannel } from '../support/channel-setup';
import type { Parameters } from '../support/api-client';
import { idsOf, outline } from '../support/event-outline';
import { expectSuccess } from '../support/expect-answer';
import { makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let count = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** A private channel that only Mia is in and administers. */
const makeChannel = (options: Parameters) =>
  createChannel(app, app.cast.mia, `Private ${++count}`, { invite_only: true, ...options });

const makeOwn = (options: Parameters = {}) => makeGroup(app, app.cast.mia, `Group ${++count}`, options);

const post = async (path: string, parameters: Parameters) =>
  expectSuccess(await app.as(app.cast.mia).post(path, parameters));

const aboutChannels = (events: readonly CapturedEvent[]) =>
  events.filter(({ event }) => ['stream', 'subscription'].includes(event.type));

const seenBy = async (who: keyof TestApp['cast'], channelId: number) =>
  (await app.as(app.cast[who]).get(`/streams/${channelId}`)).status === 200;

describe('a private channel', () => {
  it.each(['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group'])(
    'comes into the sight of those who come to the group in %s, and goes out of it',
    async (setting) => {
      const { max, mia, mona, adam, gus } = app.cast;
      const group = await makeOwn();
      const channelId = await makeChannel({ [setting]: group });
      const people = [max.id, mona.id, adam.id, gus.id, mia.id];
      const appeared = await app.captureEvents(() => post(`/user_groups/${group}/members`, { add: people }));
      expect(outline(aboutChannels(appeared))).toEqual([
        ['stream/create', idsOf(max, mona)],
        ['subscription/peer_add', idsOf(max, mona)],
      ]);
      const [created, peers] = aboutChannels(appeared);
      expect(created?.event.streams[0]).toMatchObject({ stream_id: channelId, [setting]: group });
      expect(peers?.event).toMatchObject({ stream_ids: [channelId], user_ids: [mia.id] });
      await expect(seenBy('max', channelId)).resolves.toBe(true);
      await expect(seenBy('gus', channelId)).resolves.toBe(false);

      const vanished = await app.captureEvents(() =>
        post(`/user_groups/${group}/members`, { delete: people }),
      );
      expect(outline(aboutChannels(vanished))).toEqual([['stream/delete', idsOf(max, mona)]]);
      expect(aboutChannels(vanished)[0]?.event.stream_ids).toEqual([channelId]);
      await expect(seenBy('max', channelId)).resolves.toBe(false);
    },
  );

  it('is seen through groups in groups, and by people named beside them', async () => {
    const { max, mona } = app.cast;
    const inner = await makeOwn({ members: [max.id] });
    const outer = await makeOwn();
    await makeChannel({ can_subscribe_group: { direct_members: [mona.id], direct_subgroups: [outer] } });
    const nested = await app.captureEvents(() => post(`/user_groups/${outer}/subgroups`, { add: [inner] }));
    expect(outline(aboutChannels(nested))).toEqual([
      ['stream/create', idsOf(max)],
      ['subscription/peer_add', idsOf(max)],
    ]);
    const joined = await app.captureEvents(() =>
      post(`/user_groups/${inner}/members`, { add: [app.cast.robo.id, mona.id], delete: [max.id] }),
    );
    expect(outline(aboutChannels(joined))).toEqual([
      ['stream/create', idsOf(app.cast.robo)],
      ['subscription/peer_add', idsOf(app.cast.robo)],
      ['stream/delete', idsOf(max)],
    ]);
    const taken = await app.captureEvents(() => post(`/user_groups/${outer}/subgroups`, { delete: [inner] }));
    expect(outline(aboutChannels(taken))).toEqual([['stream/delete', idsOf(app.cast.robo)]]);
  });

  it('stays as it was for those who see it in another way', async () => {
    const { max } = app.cast;
    const group = await makeOwn();
    await makeChannel({ can_subscribe_group: group, can_add_subscribers_group: peopleAlone(max) });
    const events = await app.captureEvents(async () => {
      await post(`/user_groups/${group}/members`, { add: [max.id] });
      await post(`/user_groups/${group}/members`, { delete: [max.id] });
    });
    expect(aboutChannels(events)).toEqual([]);
  });

  it('that is archived shows to those who know archived channels', async () => {
    const { max } = app.cast;
    const group = await makeOwn();
    const channelId = await makeChannel({ can_subscribe_group: group });
    expectSuccess(await app.as(app.cast.adam).delete(`/streams/${channelId}`));
    const events = await app.captureEvents(() => post(`/user_groups/${group}/members`, { add: [max.id] }));
    expect(outline(aboutChannels(events))).toEqual([
      ['stream/create', idsOf(max), '+archived_channels'],
      ['subscription/peer_add', idsOf(max), '+archived_channels'],
    ]);
  });

  it('comes into sight with a role whose group has the permission, and goes with it', async () => {
    const { max, olivia } = app.cast;
    await makeChannel({ can_subscribe_group: systemGroupId(app, 'role:moderators') });
    const change = (role: Role) =>
      app.captureEvents(async () => expectSuccess(await app.as(olivia).patch(`/users/${max.id}`, { role })));
    const about = (events: readonly CapturedEvent[]) =>
      outline(aboutChannels(events)).map(([kind, audience]) => [kind, audience]);
    expect(about(await change(Role.moderator))).toEqual([
      ['stream/create', [max.id]],
      ['subscription/peer_add', [max.id]],
    ]);
    expect(about(await change(Role.member))).toEqual([['stream/delete', [max.id]]]);
  });

  it('comes into sight of members once they are full members', async () => {
    const { max, robo, olivia } = app.cast;
    await makeChannel({ can_subscribe_group: systemGroupId(app, 'role:fullmembers') });
    const wait = (days: number) =>
      app.captureEvents(async () =>
        expectSuccess(await app.as(olivia).patch('/realm', { waiting_period_threshold: days })),
      );
    expect(outline(aboutChannels(await wait(5)))).toEqual([['stream/delete', idsOf(max, robo)]]);
    expect(outline(aboutChannels(await wait(0)))).toEqual([
      ['stream/create', idsOf(max, robo)],
      ['subscription/peer_add', idsOf(max, robo)],
    ]);
  });
});

it('a group has its effect wherever a setting names it, at once', async () => {
  const { max, mia } = app.cast;
  const group = await makeOwn();
  const channelId = await createChannel(app, mia, 'Posting', { can_send_message_group: group });
  const send = () =>
    app.as(max).post('/messages', { type: 'channel', to: channelId, topic: 'tea', content: 'Hello' });
  expect((await send()).status).toBe(400);
  const outer = await makeOwn({ members: [max.id] });
  await post(`/user_groups/${group}/subgroups`, { add: [outer] });
  expectSuccess(await send());
  await post(`/user_groups/${outer}/members`, { delete: [max.id] });
  expect((await send()).status).toBe(400);
});
