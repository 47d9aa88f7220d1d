import { Role } from '../../src/platform/actor';
import { changeAccount } from '../support/account-setup';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { systemGroupId } from '../support/group-setup';
import { stateOf, type StateQuestion } from '../support/initial-state';
import { TestApp } from '../support/test-app';

let app: TestApp;
let gone: Member;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
  gone = await app.addAccount({
    deliveryEmail: 'gone@example.com',
    fullName: 'Gone Away',
    role: Role.member,
  });
  await changeAccount(app, gone, { isActive: false });
});

afterAll(() => app.stop());

const usersFor = (member: Member | null, question: StateQuestion = {}) =>
  stateOf(app, member, { wanted: ['realm_user'], ...question });
const idsIn = (records: readonly { user_id: number }[]) => records.map(({ user_id }) => user_id);
const everybody = () => Object.values(app.cast).map(({ id }) => id);

describe('Users in the state', () => {
  it('are the records of GET /users, told apart by whether they are active', async () => {
    for (const reader of [app.cast.olivia, app.cast.mia, app.cast.gus, app.cast.robo]) {
      for (const clientGravatar of [false, true]) {
        const state = await usersFor(reader, { clientGravatar });
        const { members } = expectSuccess(
          await app
            .as(reader)
            .get('/users', { client_gravatar: clientGravatar, include_custom_profile_fields: true }),
        );
        const listed = [
          ...state.realm_users.map((user: object) => ({ ...user, is_active: true })),
          ...state.realm_non_active_users.map((user: object) => ({ ...user, is_active: false })),
        ];
        expect(listed.sort((a, b) => a.user_id - b.user_id)).toEqual(members);
        expect(idsIn(state.realm_non_active_users)).toEqual([gone.id]);
        expect(idsIn(state.realm_users)).toContain(reader.id);
        expect(
          [...state.realm_users, ...state.realm_non_active_users].some((user) => 'is_active' in user),
        ).toBe(false);
      }
    }
  });

  it('come with the bots of the server, and nobody sees those as members', async () => {
    const { cross_realm_bots: bots, realm_users: users } = await usersFor(app.cast.mia);
    expect(bots).toMatchObject([
      { email: 'notification-bot@zulip.com', is_system_bot: true, is_bot: true },
      { email: 'welcome-bot@zulip.com', is_system_bot: true, is_bot: true },
      { email: 'emailgateway@zulip.com', is_system_bot: true, is_bot: true },
      { email: 'messaging-bridge@zulip.com', is_system_bot: true, is_bot: true },
    ]);
    expect(idsIn(users).some((id) => idsIn(bots).includes(id))).toBe(false);
  });

  it.each([
    ['olivia', { is_owner: true, is_admin: true, is_moderator: true, is_guest: false }],
    ['adam', { is_owner: false, is_admin: true, is_moderator: true, is_guest: false }],
    ['mona', { is_owner: false, is_admin: false, is_moderator: true, is_guest: false }],
    ['mia', { is_owner: false, is_admin: false, is_moderator: false, is_guest: false }],
    ['gus', { is_owner: false, is_admin: false, is_moderator: false, is_guest: true }],
  ] as const)('tell %s who they are', async (name, flags) => {
    const member = app.cast[name];
    const { email } = expectSuccess(await app.as(member).get('/users/me'));
    expect(await usersFor(member)).toMatchObject({
      user_id: member.id,
      email,
      delivery_email: member.email,
      full_name: member.fullName,
      avatar_source: 'G',
      avatar_url: expect.stringMatching(/^https:\/\/secure\.gravatar\.com\//),
      avatar_url_medium: expect.stringContaining('s=500'),
      ...flags,
    });
  });

  it('say what their settings and groups allow them', async () => {
    const may = async (name: 'olivia' | 'mia' | 'gus') => {
      const state = await usersFor(app.cast[name]);
      return [
        state.can_create_streams,
        state.can_create_public_streams,
        state.can_create_private_streams,
        state.can_create_web_public_streams,
        state.can_subscribe_other_users,
        state.can_invite_others_to_realm,
      ];
    };
    expect(await may('olivia')).toEqual([true, true, true, true, true, true]);
    expect(await may('mia')).toEqual([true, true, true, false, true, false]);
    expect(await may('gus')).toEqual([false, false, false, false, false, false]);
    const nobody = { new: systemGroupId(app, 'role:nobody') };
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { can_create_public_channel_group: nobody }));
    expect((await may('mia')).slice(0, 3)).toEqual([true, false, true]);
    const members = { new: systemGroupId(app, 'role:members') };
    expectSuccess(
      await app.as(app.cast.olivia).patch('/realm', { can_create_public_channel_group: members }),
    );
  });
});

describe('Profile fields in the state', () => {
  it('are those of GET /realm/profile_fields, with the values of people', async () => {
    const { olivia, mia } = app.cast;
    const { id } = expectSuccess(
      await app.as(olivia).post('/realm/profile_fields', { name: 'Phone', field_type: 1 }),
    );
    expectSuccess(await app.as(mia).patch('/users/me/profile_data', { data: [{ id, value: '555' }] }));
    const { custom_fields } = expectSuccess(await app.as(mia).get('/realm/profile_fields'));
    const state = await stateOf(app, mia);
    expect(state.custom_profile_fields).toEqual(custom_fields);
    expect(state.custom_profile_field_types.SHORT_TEXT).toEqual({ id: 1, name: 'Short text' });
    expect(Object.keys(state.custom_profile_field_types)).toHaveLength(10);
    expect(state.realm_default_external_accounts.github.url_pattern).toBe('https://github.com/%(username)s');
    const own = state.realm_users.find((user: { user_id: number }) => user.user_id === mia.id);
    expect(own.profile_data).toEqual({ [id]: { value: '555', rendered_value: '<p>555</p>' } });
  });
});

describe('A guest whom the organization restricts', () => {
  const restrict = async (name: 'role:members' | 'role:everyone') =>
    expectSuccess(
      await app
        .as(app.cast.olivia)
        .patch('/realm', { can_access_all_users_group: { new: systemGroupId(app, name) } }),
    );

  beforeAll(async () => {
    const { mia, gus } = app.cast;
    await createChannel(app, mia, 'shared', { principals: [mia.id, gus.id] });
    await restrict('role:members');
  });

  afterAll(() => restrict('role:everyone'));

  it('gets only those in sight where the client knows that others are missing', async () => {
    const { gus, mia, robo } = app.cast;
    const state = await usersFor(gus, { capabilities: ['user_list_incomplete'] });
    expect(idsIn(state.realm_users)).toEqual([mia.id, gus.id, robo.id]);
    expect(state.realm_non_active_users).toEqual([]);
  });

  it('gets a stand-in for everybody else otherwise', async () => {
    const { gus, max } = app.cast;
    const state = await usersFor(gus);
    expect(idsIn(state.realm_users).sort()).toEqual([...everybody(), gone.id].sort());
    expect(state.realm_non_active_users).toEqual([]);
    const unknown = state.realm_users.find((user: { user_id: number }) => user.user_id === max.id);
    expect(unknown).toMatchObject({
      full_name: 'Unknown user',
      email: `user${max.id}@chat.example.com`,
      delivery_email: null,
      is_guest: false,
    });
    expect(JSON.stringify(state)).not.toMatch(/Max|max@example/);
  });

  it('does not see more than people without an account, who see bots only', async () => {
    const state = await usersFor(null, { capabilities: ['user_list_incomplete'] });
    expect(idsIn(state.realm_users)).toEqual([app.cast.robo.id]);
  });
});

describe('Somebody without an account', () => {
  it('is a guest of no name', async () => {
    expect(await usersFor(null)).toMatchObject({
      user_id: 0,
      full_name: 'Anonymous User',
      is_guest: true,
      is_admin: false,
      can_create_streams: false,
      can_invite_others_to_realm: false,
    });
  });

  it('sees who is who, and nobody’s address, time zone or profile', async () => {
    await changeAccount(app, app.cast.mia, { timezone: 'Europe/Berlin' });
    const state = await usersFor(null);
    expect(idsIn(state.realm_users).sort()).toEqual(everybody().sort());
    const seen = state.realm_users.find((user: { user_id: number }) => user.user_id === app.cast.mia.id);
    expect(seen).toMatchObject({
      full_name: 'Mia Member',
      email: `user${app.cast.mia.id}@chat.example.com`,
      delivery_email: null,
      timezone: '',
      date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      avatar_url: expect.any(String),
    });
    expect(seen).not.toHaveProperty('profile_data');
    expect(JSON.stringify(state.realm_users)).not.toContain('@example.com');
    expect((await stateOf(app, null)).custom_profile_fields).toEqual([]);
  });
});

describe('Devices in the state', () => {
  it('are those of the account, as their events describe them', async () => {
    const { mia, max } = app.cast;
    const { device_id } = expectSuccess(await app.as(mia).post('/register_client_device'));
    expect((await stateOf(app, mia)).devices).toEqual({
      [device_id]: {
        push_key_id: null,
        push_token_id: null,
        pending_push_token_id: null,
        push_token_last_updated_timestamp: null,
        push_registration_error_code: null,
      },
    });
    expect((await stateOf(app, max)).devices).toEqual({});
    expect((await stateOf(app, null)).devices).toEqual({});
  });
});
