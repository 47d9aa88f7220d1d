import type { SystemGroupName } from '../../src/features/organization-settings/organization-settings';
import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import { channelId, createChannel, createGroup, subscribersOf } from '../support/channel-setup';
import type { Member } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'false' } });
});

afterAll(() => app.stop());

const only = (...members: Member[]) => ({
  direct_members: members.map(({ id }) => id),
  direct_subgroups: [],
});

const subscribe = (who: Member, name: string, parameters: Record<string, unknown> = {}) =>
  app.as(who).post('/users/me/subscriptions', { subscriptions: [{ name }], ...parameters });

describe('subscribing oneself to a private channel', () => {
  it('is for nobody who is not let in, administrators and channel administrators included [EP1-authorization_errors_fatal]', async () => {
    const { max, mia, olivia } = app.cast;
    await createChannel(app, max, 'Closed', { invite_only: true, can_administer_channel_group: only(mia) });
    for (const who of [olivia, mia]) {
      expectError(await subscribe(who, 'closed'), 'Unable to access channel (Closed).');
    }
  });

  it('is for those, too, who may join a group that the channel names, which everybody hears', async () => {
    const { max, mia, olivia, adam } = app.cast;
    const group = await createGroup(app, 'team', [mia.id]);
    await createChannel(app, max, 'For the team', { invite_only: true, can_subscribe_group: group });
    await createChannel(app, max, 'For Mia', { invite_only: true, can_subscribe_group: only(mia) });
    expectError(await subscribe(olivia, 'For the team'), 'Unable to access channel (For the team).');
    const join = (who: Member) => app.as(who).post(`/user_groups/${group}/members`, { add: [who.id] });
    expectError(await join(adam), 'Insufficient permission');
    const events = await app.captureEvents(async () => {
      expectSuccess(await join(olivia));
    });
    expect(events).toEqual([
      expect.objectContaining({
        event: { type: 'user_group', op: 'add_members', group_id: group, user_ids: [olivia.id] },
        audience: expect.arrayContaining([max.id, mia.id, adam.id]),
      }),
    ]);
    expectSuccess(await subscribe(olivia, 'For the team'));
    expectError(await subscribe(olivia, 'For Mia'), 'Unable to access channel (For Mia).');
    const id = await channelId(app, 'For Mia');
    const change = { can_subscribe_group: { new: group } };
    expect((await app.as(olivia).patch(`/streams/${id}`, change)).body.result).toBe('error');
  });

  it('is for members of can_subscribe_group [AUTH-6b, EP1-rest, VER-357]', async () => {
    const { max, mia } = app.cast;
    await createChannel(app, max, 'Open to Mia', { invite_only: true, can_subscribe_group: only(mia) });
    expect(expectSuccess(await subscribe(mia, 'Open to Mia')).subscribed).toEqual({
      [mia.id]: ['Open to Mia'],
    });
  });

  it('is for members of can_add_subscribers_group, who may add others too without being in [AUTH-6a, EP1-can_add_subscribers_group, VER-342, VER-349]', async () => {
    const { max, mia, robo, gus } = app.cast;
    const group = await createGroup(app, 'Doorkeepers', [mia.id]);
    const id = await createChannel(app, max, 'Kept', {
      invite_only: true,
      can_add_subscribers_group: group,
    });
    expectSuccess(await subscribe(mia, 'Kept', { principals: [gus.id, robo.id] }));
    await expect(subscribersOf(app, id)).resolves.not.toContain(mia.id);
    expectSuccess(await subscribe(mia, 'Kept'));
    await expect(subscribersOf(app, id)).resolves.toEqual(
      [max.id, mia.id, gus.id, robo.id].sort((a, b) => a - b),
    );
  });
});

describe('channels out of reach', () => {
  it('are listed instead of failing the request when that is asked for [EP1-authorization_errors_fatal-false, EP1-response]', async () => {
    const { max, mia } = app.cast;
    await createChannel(app, max, 'Secret', { invite_only: true });
    const parameters = {
      subscriptions: [{ name: 'secret' }, { name: 'Fine' }],
      authorization_errors_fatal: false,
    };
    const body = expectSuccess(await app.as(mia).post('/users/me/subscriptions', parameters));
    expect(body).toMatchObject({ subscribed: { [mia.id]: ['Fine'] }, unauthorized: ['secret'] });
  });

  it('are an empty list when there are none [EP1-authorization_errors_fatal-false]', async () => {
    const body = expectSuccess(await subscribe(app.cast.mia, 'Fine', { authorization_errors_fatal: false }));
    expect(body.unauthorized).toEqual([]);
  });

  it('fail the request by default, and nothing of it stays [EP1-authorization_errors_fatal]', async () => {
    const { mia, olivia } = app.cast;
    const parameters = { subscriptions: [{ name: 'Made too early' }, { name: 'Secret' }] };
    const events = await app.captureEvents(async () => {
      expectError(
        await app.as(mia).post('/users/me/subscriptions', parameters),
        'Unable to access channel (Secret).',
      );
    });
    expect(events).toEqual([]);
    expectError(
      await app.as(olivia).get('/get_stream_id', { stream: 'Made too early' }),
      "Invalid channel name 'Made too early'",
    );
  });
});

describe('subscribing others', () => {
  /** Takes the organization's permission to add subscribers from everybody, for one test. */
  const withoutOrganizationPermission = async (work: () => Promise<void>) => {
    const setTo = async (name: SystemGroupName) => {
      const parameters = { can_add_subscribers_group: { new: app.get(GroupDirectory).systemGroupId(name) } };
      expectSuccess(await app.as(app.cast.olivia).patch('/realm', parameters));
    };
    await setTo('role:nobody');
    try {
      await work();
    } finally {
      await setTo('role:members');
    }
  };

  it('to a public channel is for members, by the permission of the organization [AUTH-6c]', async () => {
    const { max, mia, gus } = app.cast;
    const id = await createChannel(app, max, 'Public');
    expectSuccess(await subscribe(mia, 'Public', { principals: [gus.id] }));
    await expect(subscribersOf(app, id)).resolves.toContain(gus.id);
  });

  it('without that permission is for administrators and for those the channel names [AUTH-6c, AUTH-6e, EP1-can_add_subscribers_group]', async () => {
    const { adam, max, mia, mona, robo } = app.cast;
    const id = await createChannel(app, max, 'Guarded', {
      can_add_subscribers_group: only(mona),
      can_administer_channel_group: only(max),
    });
    await withoutOrganizationPermission(async () => {
      expectError(await subscribe(mia, 'Guarded', { principals: [robo.id] }), 'Insufficient permission');
      expectError(
        await subscribe(mia, 'Guarded', { principals: [robo.id], authorization_errors_fatal: false }),
        'Insufficient permission',
      );
      expectError(await subscribe(mia, 'Guarded', { principals: [mia.email] }), 'Insufficient permission');
      expectSuccess(await subscribe(mia, 'Guarded', { principals: [mia.id] }));
      expectSuccess(await subscribe(adam, 'Guarded', { principals: [robo.id] }));
      expectSuccess(await subscribe(mona, 'Guarded', { principals: [mona.id, adam.id] }));
      expectSuccess(await subscribe(max, 'Guarded', { principals: [app.cast.gus.id] }));
    });
    await expect(subscribersOf(app, id)).resolves.toHaveLength(6);
  });

  it('to a channel that is created by the request needs no such permission', async () => {
    const { mia, max } = app.cast;
    await withoutOrganizationPermission(async () => {
      expectSuccess(await subscribe(mia, 'Brand new', { principals: [max.id] }));
    });
  });

  it('to a private channel needs to be let in oneself [AUTH-6e]', async () => {
    const { max, olivia, robo } = app.cast;
    await createChannel(app, max, 'Inner circle', { invite_only: true });
    expectError(
      await subscribe(olivia, 'Inner circle', { principals: [robo.id] }),
      'Unable to access channel (Inner circle).',
    );
  });
});

it('web-public channels need the server to offer them [EP1-is_web_public-server]', async () => {
  const { olivia } = app.cast;
  expectSuccess(await app.as(olivia).patch('/realm', { enable_spectator_access: true }));
  expectError(
    await subscribe(olivia, 'For the world', { is_web_public: true }),
    'Web-public channels are not enabled.',
  );
});
