import { Role } from '../../src/platform/actor';
import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  const { olivia, mia, gus } = app.cast;
  expectSuccess(
    await app.as(olivia).patch('/realm', { can_access_all_users_group: { new: group('role:members') } }),
  );
  await createChannel(app, mia, 'shared', { principals: [mia.id, gus.id] });
});

afterAll(() => app.stop());

const group = (name: 'role:members' | 'role:fullmembers' | 'role:everyone') =>
  app.get(GroupDirectory).systemGroupId(name);

interface Listed {
  readonly user_id: number;
  readonly full_name: string;
}

/** IDs of the people whose records a viewer gets. */
const listed = async (viewer: Member) =>
  (expectSuccess(await app.as(viewer).get('/users')).members as Listed[]).map((user) => user.user_id);

describe('A guest whom the organization restricts', () => {
  it('sees bots, themselves, and whom they share a channel with', async () => {
    const { gus, mia, robo } = app.cast;
    const seen = await listed(gus);
    expect(seen.sort((a: number, b: number) => a - b)).toEqual(
      [mia.id, gus.id, robo.id].sort((a, b) => a - b),
    );
    for (const member of [gus, mia, robo]) {
      expect(expectSuccess(await app.as(gus).get(`/users/${member.id}`)).user.user_id).toBe(member.id);
    }
  });

  it('is told of others only that they exist', async () => {
    const { gus, max } = app.cast;
    const { realm_users: people } = await stateOf(app, gus, { wanted: ['realm_user'] });
    expect((people as Listed[]).find((user) => user.user_id === max.id)).toEqual({
      email: `user${max.id}@chat.example.com`,
      user_id: max.id,
      avatar_version: 1,
      is_admin: false,
      is_owner: false,
      is_guest: false,
      role: 400,
      is_bot: false,
      bot_type: null,
      bot_owner_id: null,
      full_name: 'Unknown user',
      timezone: '',
      date_joined: '1970-01-01T00:00+00:00',
      delivery_email: null,
      is_imported_stub: false,
      avatar_url: 'https://secure.gravatar.com/avatar/?d=mp&version=1',
      profile_data: {},
    });
  });

  it('cannot look others up, by ID or address', async () => {
    const { gus, max } = app.cast;
    expectError(await app.as(gus).get(`/users/${max.id}`), 'Insufficient permission');
    expectError(await app.as(gus).get('/users/max@example.com'), 'Insufficient permission');
    expectError(await app.as(gus).get('/users/nobody@example.com'), 'No such user');
    const some = await app.as(gus).get('/users', { user_ids: [max.id, gus.id] });
    expect(expectSuccess(some).members).toMatchObject([{ user_id: gus.id, full_name: 'Gus Guest' }]);
  });

  it('hears of nobody else either', async () => {
    const { gus, mia, max } = app.cast;
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(mia).patch('/settings', { full_name: 'Mia M.' }));
      expectSuccess(await app.as(max).patch('/settings', { full_name: 'Max M.' }));
    });
    expect(events.map(({ audience }) => audience.includes(gus.id))).toEqual([true, false]);
    expect(events[1]?.audience).toContain(mia.id);
  });

  it('learns of a new person only that there is one, until they share a channel', async () => {
    const { olivia, gus } = app.cast;
    const create = async (name: string) => {
      const person = { email: `${name}@example.com`, password: 'eleven brass trumpets', full_name: name };
      const events = await app.captureEvents(async () => {
        expectSuccess(await app.as(olivia).post('/users', person));
      });
      return events.filter(({ event, audience }) => event.op === 'add' && audience.includes(gus.id));
    };
    expect(await create('Stranger')).toMatchObject([
      { event: { person: { full_name: 'Unknown user' } }, options: { unless: 'user_list_incomplete' } },
    ]);
    await createChannel(app, olivia, 'for all', { is_default_stream: true, principals: [gus.id] });
    const told = await create('Neighbour');
    expect(told.at(-1)?.event.person.full_name).toBe('Neighbour');
  });

  it('alone is told which groups and permissions somebody leaves who is deactivated and out of sight', async () => {
    const { olivia, mia, gus, mona } = app.cast;
    const anna = await app.addAccount({ deliveryEmail: 'anna@example.com', fullName: 'Anna', role: 400 });
    const may = { new: { direct_members: [anna.id, mona.id], direct_subgroups: [] } };
    const crew = { name: 'crew', description: '', members: [anna.id, mia.id], can_join_group: may.new };
    const { group_id: id } = expectSuccess(await app.as(olivia).post('/user_groups/create', crew));
    expectSuccess(await app.as(olivia).patch('/realm', { can_create_groups: may }));
    const events = await app.captureEvents(async () =>
      expectSuccess(await app.as(olivia).delete(`/users/${anna.id}`)),
    );
    const left = { direct_members: [mona.id], direct_subgroups: [] };
    const told = events.filter(({ event }) => ['user_group', 'realm'].includes(event.type));
    expect(told.map(({ event, audience }) => [event.op, event.group_id ?? null, audience])).toEqual([
      ...(['role:fullmembers', 'role:members'] as const).map((name) => [
        'remove_members',
        group(name),
        [gus.id],
      ]),
      ['remove_members', id, [gus.id]],
      ['update_dict', null, [gus.id]],
      ['update', id, [gus.id]],
    ]);
    expect(told.at(-2)?.event.data).toEqual({ can_create_groups: left });
    expect(told.at(-1)?.event.data).toEqual({ can_join_group: left });
    const active = events.find(({ event }) => event.type === 'realm_user');
    expect(active?.event.person).toEqual({ user_id: anna.id, is_active: false });
    expect(active?.audience).not.toContain(gus.id);
    expect(active?.audience).toContain(mia.id);
  });

  it('is not restricted where the organization lets guests see everybody', async () => {
    const { olivia, gus, max } = app.cast;
    const allow = async (name: 'role:members' | 'role:everyone') =>
      expectSuccess(
        await app.as(olivia).patch('/realm', { can_access_all_users_group: { new: group(name) } }),
      );
    await allow('role:everyone');
    expectSuccess(await app.as(gus).get(`/users/${max.id}`));
    expect(await listed(gus)).toContain(max.id);
    await allow('role:members');
  });

  it('does not see other guests as such', async () => {
    const gina = await app.addAccount({
      deliveryEmail: 'gina@example.com',
      fullName: 'Gina Guest',
      role: Role.guest,
    });
    expectError(await app.as(app.cast.gus).get(`/users/${gina.id}`), 'Insufficient permission');
    expectSuccess(await app.as(app.cast.mia).get(`/users/${gina.id}`));
  });
});

describe('Without an account', () => {
  const members = async (parameters = {}) =>
    expectSuccess(await app.client().get('/users', parameters)).members as Listed[];

  it('nobody is listed unless the organization is open to the web', async () => {
    expectError(
      await app.client().get('/users'),
      'Not logged in: API authentication or user session required',
      {
        code: 'UNAUTHORIZED',
        status: 401,
      },
    );
  });

  it('people are listed without addresses and profiles where it is open', async () => {
    const { olivia, mia, max, robo } = app.cast;
    const open = (isOpen: boolean) => app.as(olivia).patch('/realm', { enable_spectator_access: isOpen });
    expectSuccess(await open(true));
    expect((await members()).map((user) => user.user_id)).toEqual([robo.id]);
    const everybody = { can_access_all_users_group: { new: group('role:everyone') } };
    expectSuccess(await app.as(olivia).patch('/realm', everybody));
    expect((await members()).map((user) => user.user_id)).toEqual(await listed(mia));
    expect(await members({ user_ids: [max.id], include_custom_profile_fields: true })).toEqual([
      {
        user_id: max.id,
        full_name: expect.stringMatching(/^Max/),
        email: `user${max.id}@chat.example.com`,
        delivery_email: null,
        role: 400,
        is_owner: false,
        is_admin: false,
        is_guest: false,
        is_active: true,
        is_bot: false,
        bot_type: null,
        bot_owner_id: null,
        timezone: '',
        date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        avatar_url: expect.stringMatching(/^https:\/\/secure\.gravatar\.com\/avatar\//),
        avatar_version: 1,
        is_imported_stub: false,
      },
    ]);
    const restricted = { can_access_all_users_group: { new: group('role:members') } };
    expectSuccess(await app.as(olivia).patch('/realm', restricted));
    expectSuccess(await open(false));
  });
});
