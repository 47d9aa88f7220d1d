import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import { channelRecord, createChannel, subscribersOf } from '../support/channel-setup';
import { idsOf, outline } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;
let members: number[];

beforeAll(async () => {
  app = await TestApp.start();
  members = idsOf(...Object.values(app.cast).filter((member) => member !== app.cast.gus));
});

afterAll(() => app.stop());

describe('POST /channels/create', () => {
  it('makes a channel and subscribes those who are named', async () => {
    const { mia, max, gus } = app.cast;
    const moderators = app.get(GroupDirectory).systemGroupId('role:moderators');
    const { id } = expectSuccess(
      await app.as(mia).post('/channels/create', {
        name: ' Garden ',
        description: 'Plants',
        subscribers: [max.id, gus.id],
        invite_only: true,
        history_public_to_subscribers: true,
        can_subscribe_group: moderators,
        announce: false,
      }),
    );
    await expect(channelRecord(app, id)).resolves.toMatchObject({
      name: 'Garden',
      description: 'Plants',
      creator_id: mia.id,
      invite_only: true,
      history_public_to_subscribers: true,
      can_subscribe_group: moderators,
    });
    await expect(subscribersOf(app, id)).resolves.toEqual(idsOf(max, gus));
  });

  it('may subscribe nobody', async () => {
    let id = 0;
    const events = await app.captureEvents(async () => {
      ({ id } = expectSuccess(
        await app.as(app.cast.mia).post('/channels/create', { name: 'Empty', subscribers: [] }),
      ));
    });
    await expect(subscribersOf(app, id)).resolves.toEqual([]);
    expect(outline(events)).toEqual([['stream/create', members]]);
  });

  it('refuses a name that is taken, in whatever casing', async () => {
    await createChannel(app, app.cast.mia, 'Taken');
    expectError(
      await app.as(app.cast.max).post('/channels/create', { name: 'TAKEN', subscribers: [] }),
      "Channel 'Taken' already exists",
      { code: 'CHANNEL_ALREADY_EXISTS', status: 409 },
    );
  });

  it('leaves nothing behind when a subscriber is unknown', async () => {
    const attempt = (subscribers: unknown) =>
      app.as(app.cast.mia).post('/channels/create', { name: 'Half', subscribers });
    expectError(await attempt([999_999]), 'No such user');
    expectError(await attempt(['mia@example.com']), 'subscribers[0] is not an integer');
    expectError(
      await app.as(app.cast.mia).get('/get_stream_id', { stream: 'Half' }),
      "Invalid channel name 'Half'",
    );
  });

  it('refuses groups that a permission cannot name, and says what a right value looks like', async () => {
    const attempt = (can_send_message_group: unknown) =>
      app
        .as(app.cast.mia)
        .post('/channels/create', { name: 'Wrong', subscribers: [], can_send_message_group });
    const form = '11 or {"direct_members":[8,9],"direct_subgroups":[11]}, where 11 is the ID of a group';
    const members = `${app.get(GroupDirectory).systemGroupId('role:members')} (role:members)`;
    const internet = app.get(GroupDirectory).systemGroupId('role:internet');
    const nobody = { direct_members: [999_999], direct_subgroups: [] };
    for (const [value, msg, expected] of [
      ['"members"', 'can_send_message_group["int"] is not an integer', form],
      [{ direct_members: [] }, 'can_send_message_group["int"] is not an integer', form],
      [999_999, 'Invalid user group', members],
      [internet, "'can_send_message_group' setting cannot be set to 'role:internet' group.", members],
    ] as const) {
      expectError(await attempt(value), msg, { data: { expected: expect.stringContaining(expected) } });
    }
    expectError(await attempt(nobody), 'Invalid user ID: 999999');
    expectError(
      await app.as(app.cast.mia).get('/get_stream_id', { stream: 'Wrong' }),
      "Invalid channel name 'Wrong'",
    );
  });

  it('asks for what creating by subscribing asks for', async () => {
    const { mia, gus } = app.cast;
    expectError(
      await app.as(gus).post('/channels/create', { name: 'Mine', subscribers: [] }),
      'Not allowed for guest users',
    );
    expectError(await app.as(mia).post('/channels/create', { subscribers: [] }), "Missing 'name' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      data: { var_name: 'name' },
    });
    expectError(
      await app.as(mia).post('/channels/create', { name: 'Mine', subscribers: [], is_default_stream: true }),
      'Insufficient permission',
    );
  });
});

describe('default channels', () => {
  it('are added and removed by administrators; doing so twice changes nothing', async () => {
    const id = await createChannel(app, app.cast.mia, 'Start');
    const adam = app.as(app.cast.adam);
    const added = await app.captureEvents(async () => {
      expectSuccess(await adam.post('/default_streams', { stream_id: id }));
      expectSuccess(await adam.post('/default_streams', { stream_id: id }));
    });
    expect(outline(added)).toEqual([['default_streams', members]]);
    expect(added[0]?.event.default_streams).toContain(id);
    const isDefault = async () => {
      const { streams } = expectSuccess(await adam.get('/streams', { include_default: true }));
      return streams.find((channel: { stream_id: number }) => channel.stream_id === id).is_default;
    };
    await expect(isDefault()).resolves.toBe(true);
    const removed = await app.captureEvents(async () => {
      expectSuccess(await adam.delete('/default_streams', { stream_id: id }));
      expectSuccess(await adam.delete('/default_streams', { stream_id: id }));
    });
    expect(outline(removed)).toEqual([
      ['default_streams', members],
      ['default_streams', members],
    ]);
    expect(removed[0]?.event.default_streams).not.toContain(id);
    await expect(isDefault()).resolves.toBe(false);
  });

  it.each(['mona', 'mia', 'gus'] as const)('are not for %s to choose', async (who) => {
    const id = await createChannel(app, app.cast.mia, `Start of ${who}`);
    for (const method of ['post', 'delete'] as const) {
      expectError(
        await app.as(app.cast[who])[method]('/default_streams', { stream_id: id }),
        'Must be an organization administrator',
        { code: 'UNAUTHORIZED_PRINCIPAL' },
      );
    }
  });

  it('are neither private nor archived nor unknown', async () => {
    const { adam, mia } = app.cast;
    const add = (id: number) => app.as(adam).post('/default_streams', { stream_id: id });
    const hidden = await createChannel(app, mia, 'Hidden', { invite_only: true });
    expectError(await add(hidden), 'Invalid channel ID');
    const closed = await createChannel(app, adam, 'Closed', { invite_only: true });
    expectError(await add(closed), 'Private channels cannot be made default.');
    const old = await createChannel(app, mia, 'Old');
    expectSuccess(await app.as(adam).delete(`/streams/${old}`));
    expectError(await add(old), 'Invalid channel ID');
    expectError(await add(999_999), 'Invalid channel ID');
  });
});
