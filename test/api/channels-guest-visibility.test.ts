import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import { channelRecord, createChannel } from '../support/channel-setup';
import type { CapturedEvent } from '../support/event-capture';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
  const members = app.get(GroupDirectory).systemGroupId('role:members');
  const settings = { can_access_all_users_group: { new: members } };
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', settings));
});

afterAll(() => app.stop());

const people = (events: readonly CapturedEvent[], op: string) =>
  events
    .filter(({ event }) => event.type === 'realm_user' && event.op === op)
    .map(({ event, audience }) => [event.person.user_id, audience]);

describe('a guest who does not see everybody', () => {
  it('is introduced to the people of a channel on entering it', async () => {
    const { mia, max, robo, gus } = app.cast;
    await createChannel(app, mia, 'Shared', { principals: [mia.id, max.id, robo.id] });
    expectError(await app.as(gus).get(`/users/${max.id}`), 'Insufficient permission');
    const events = await app.captureEvents(() =>
      app.as(mia).post('/users/me/subscriptions', {
        subscriptions: [{ name: 'Shared' }],
        principals: [gus.id],
        send_new_subscription_messages: false,
      }),
    );
    expect(events.map(({ event }) => `${event.type}/${event.op}`)).toEqual([
      'stream/create',
      'subscription/add',
      'realm_user/add',
      'realm_user/add',
      'subscription/peer_add',
    ]);
    const expected = [mia.id, max.id].sort((a, b) => a - b).map((id) => [id, [gus.id]]);
    expect(people(events, 'add')).toEqual(expected);
    expect(events[2]?.event.person).toMatchObject({
      is_bot: false,
      profile_data: {},
      avatar_url: expect.any(String),
    });
    expectSuccess(await app.as(gus).get(`/users/${max.id}`));
  });

  it('is introduced to people who enter later, once', async () => {
    const { mona, mia, gus } = app.cast;
    const id = await createChannel(app, mia, 'Shared too', { principals: [mia.id, gus.id] });
    const enter = (name: string) => () =>
      app.as(mona).post('/users/me/subscriptions', { subscriptions: [{ name }] });
    expect(people(await app.captureEvents(enter('Shared')), 'add')).toEqual([[mona.id, [gus.id]]]);
    expect(people(await app.captureEvents(enter('Shared too')), 'add')).toEqual([]);
    expect((await channelRecord(app, id)).subscriber_count).toBe(3);
  });

  it('loses sight of people with the last channel they share', async () => {
    const { mona, gus } = app.cast;
    const leave = (name: string) => () =>
      app.as(mona).delete('/users/me/subscriptions', { subscriptions: [name] });
    expect(people(await app.captureEvents(leave('Shared')), 'remove')).toEqual([]);
    const events = await app.captureEvents(leave('Shared too'));
    expect(people(events, 'remove')).toEqual([[mona.id, [gus.id]]]);
    expect(events.at(-1)?.event.person).toEqual({ user_id: mona.id, full_name: 'Unknown user' });
    expectError(await app.as(gus).get(`/users/${mona.id}`), 'Insufficient permission');
  });

  it('is not told about people out of sight', async () => {
    const { mona, gus } = app.cast;
    const { body } = await app.as(gus).get('/get_stream_id', { stream: 'Shared' });
    const path = `/users/${mona.id}/subscriptions/${body.stream_id}`;
    expectError(await app.as(gus).get(path), 'Insufficient permission');
  });
});
