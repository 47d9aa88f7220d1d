import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import { apiKeyOf, changeAccount } from '../support/account-setup';
import { createChannel, subscribersOf } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { changeOrganization } from '../support/organization-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const PASSWORD = 'seven small green lamps';
const everybody = () => [...app.get(AccountDirectory).active.ids()];
const create = (parameters: object, creator = app.cast.olivia) =>
  app.as(creator).post('/users', { password: PASSWORD, full_name: 'New Person', ...parameters });
const recordOf = async (id: number) =>
  expectSuccess(await app.as(app.cast.mia).get(`/users/${id}`, { client_gravatar: false })).user;
const systemGroup = (name: 'role:members' | 'role:fullmembers') =>
  app.get(GroupDirectory).systemGroupId(name);

describe('Creating a person', () => {
  it('makes a member who is told to everybody, and put into groups and default channels [EP10-user_id, EP10-email, EP10-full_name]', async () => {
    const { olivia } = app.cast;
    const channel = await createChannel(app, olivia, 'welcome all', { is_default_stream: true });
    const before = everybody();
    let id = 0;
    const events = await app.captureEvents(async () => {
      id = expectSuccess(await create({ email: ' Nora@Example.COM ', full_name: ' Nora New ' })).user_id;
    });
    const record = await recordOf(id);
    expect(record).toMatchObject({
      full_name: 'Nora New',
      email: 'Nora@example.com',
      role: 400,
      is_active: true,
      timezone: '',
      avatar_version: 1,
    });
    await expect(subscribersOf(app, channel)).resolves.toContain(id);
    expect(events.slice(0, 3)).toMatchObject([
      {
        event: { type: 'realm_user', op: 'add', person: { ...record, profile_data: {} } },
        audience: before,
      },
      {
        event: {
          type: 'user_group',
          op: 'add_members',
          group_id: systemGroup('role:members'),
          user_ids: [id],
        },
      },
      {
        event: {
          type: 'user_group',
          op: 'add_members',
          group_id: systemGroup('role:fullmembers'),
          user_ids: [id],
        },
      },
    ]);
    const peers = events.find(({ event }) => event.op === 'peer_add');
    expect(peers?.event).toMatchObject({ type: 'subscription', user_ids: [id] });
    expect(peers?.event.stream_ids).toContain(channel);
    expect(peers?.audience).not.toContain(id);
  });

  it('lets the person sign in with the password, which moves the date of joining there [EP10-password, USER-date_joined-first-login, VER-475]', async () => {
    const { user_id: id } = expectSuccess(await create({ email: 'first@example.com' }));
    await changeAccount(app, { id }, { dateJoined: Date.UTC(2024, 0, 2, 3, 4) / 1000 });
    await expect(recordOf(id)).resolves.toHaveProperty('date_joined', '2024-01-02T03:04+00:00');
    const signIn = () =>
      app.client().post('/fetch_api_key', { username: 'FIRST@example.com', password: PASSWORD });
    const events = await app.captureEvents(async () => {
      const answer = expectSuccess(await signIn());
      expect(answer).toMatchObject({
        email: 'first@example.com',
        user_id: id,
        api_key: apiKeyOf(app, { id }),
      });
    });
    const { date_joined } = await recordOf(id);
    expect(date_joined).not.toContain('2024-01-02');
    expect(events).toMatchObject([
      {
        event: { type: 'realm_user', op: 'update', person: { user_id: id, date_joined } },
        audience: everybody(),
      },
    ]);
    await expect(app.captureEvents(async () => expectSuccess(await signIn()))).resolves.toEqual([]);
  });

  it('is announced where the organization wants it', async () => {
    const { adam, mia } = app.cast;
    const channel = await createChannel(app, mia, 'arrivals');
    expectSuccess(await app.as(adam).patch('/realm', { signup_announcements_stream_id: channel }));
    let id = 0;
    const events = await app.captureEvents(async () => {
      id = expectSuccess(await create({ email: 'loud@example.com', full_name: 'Lou Loud' })).user_id;
    });
    const message = events.find(({ event }) => event.type === 'message');
    expect(message?.event.message).toMatchObject({ subject: 'signups', stream_id: channel });
    expect(message?.audience).toContain(mia.id);
    const { messages } = expectSuccess(
      await app.as(mia).get('/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: channel }],
        apply_markdown: false,
      }),
    );
    expect(messages).toMatchObject([{ content: `@_**Lou Loud|${id}** joined this organization.` }]);
    expectSuccess(await app.as(adam).patch('/realm', { signup_announcements_stream_id: -1 }));
  });

  it.each(['mona', 'mia', 'gus', 'robo'] as const)(
    'is closed to %s, before anything else is looked at [EP10-administrator, AUTH-4a]',
    async (name) => {
      const answer = await app.as(app.cast[name]).post('/users');
      const code = 'UNAUTHORIZED_PRINCIPAL';
      expectError(answer, 'Must be an organization administrator', { code });
    },
  );

  it('needs a permission that no role implies, and that owners give [EP10-can_create_users, AUTH-4a]', async () => {
    const { adam, olivia } = app.cast;
    const refusal = 'User not authorized to create users';
    expectError(await create({ email: 'by-adam@example.com' }, adam), refusal);
    const path = `/users/${adam.id}`;
    expectError(await app.as(adam).patch(path, { can_create_users: true }), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expectSuccess(await app.as(olivia).patch(path, { can_create_users: true }));
    expectSuccess(await create({ email: 'by-adam@example.com' }, adam));
    expectSuccess(await app.as(olivia).patch(path, { can_create_users: false }));
    expectError(await create({ email: 'by-adam2@example.com' }, adam), refusal);
  });

  it.each(['email', 'password', 'full_name'])(
    'needs %s [EP10-email, EP10-password, EP10-full_name]',
    async (name) => {
      const { [name]: _, ...rest } = {
        email: 'x@example.com',
        password: PASSWORD,
        full_name: 'X Y',
      } as Record<string, string>;
      expectError(await app.as(app.cast.olivia).post('/users', rest), `Missing '${name}' argument`, {
        code: 'REQUEST_VARIABLE_MISSING',
        data: { var_name: name },
      });
    },
  );

  it.each(['mia@example.com', 'MIA@EXAMPLE.com', 'robo-bot@example.com', 'notification-bot@zulip.com'])(
    'refuses an address in use: %s [EP10-R1, ERR-BAD_REQUEST-email]',
    async (email) => {
      expectError(await create({ email }), 'Email is already in use.');
    },
  );

  it('refuses the address of somebody deactivated [EP10-R1]', async () => {
    const { user_id: id } = expectSuccess(await create({ email: 'was-here@example.com' }));
    expectSuccess(await app.as(app.cast.olivia).delete(`/users/${id}`));
    expectError(await create({ email: 'was-here@example.com' }), 'Email is already in use.');
  });

  it.each([
    [{ full_name: 'N' }, 'Name too short!'],
    [{ full_name: 'N*w' }, 'Invalid characters in name!'],
    [{ email: 'nonsense' }, 'Bad name or username'],
    [{ email: 'user12@chat.example.com' }, 'Bad name or username'],
    [{ email: 'mia@example.com', password: 'short' }, 'Email is already in use.'],
    [{ password: 'abcdef' }, 'The password is too weak.'],
    [{ password: 'wq8Lr2z' }, 'The password is too weak.'],
    [{ full_name: 'Nora Nimbus', password: 'nora.nimbus.1987' }, 'The password is too weak.'],
    [{ password: '' }, 'The password is too weak.'],
  ])('refuses %j', async (parameters, message) => {
    expectError(await create({ email: 'refused@example.com', ...parameters }), message);
    expect(app.get(AccountDirectory).byDeliveryEmail('refused@example.com')).toBeUndefined();
  });

  it('respects the domains that the organization allows', async () => {
    const owner = app.as(app.cast.olivia);
    expectSuccess(await owner.post('/realm/domains', { domain: 'example.org', allow_subdomains: false }));
    await changeOrganization(app, { emails_restricted_to_domains: true });
    expectError(
      await create({ email: 'x@example.com' }),
      "Email 'x@example.com' not allowed in this organization",
    );
    expectError(await create({ email: 'x+y@example.org' }), 'Email addresses containing + are not allowed.');
    expectSuccess(await create({ email: 'x@EXAMPLE.org' }));
    await changeOrganization(app, { emails_restricted_to_domains: false });
  });

  it('reports what it does not know', async () => {
    const answer = await create({ email: 'more@example.com', short_name: 'more', role: 100 });
    expectSuccess(answer, { ignored: ['role', 'short_name'] });
  });

  it('gives an address to one of many who want it at the same instant', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create({ email: 'wanted@example.com' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });
});
