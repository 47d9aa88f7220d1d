import { createHash } from 'node:crypto';
import { Role } from '../../src/platform/actor';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { apiKeyOf, changeAccount } from '../support/account-setup';
import type { Member } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const record = async (viewer: Member, target: Member, parameters = {}) =>
  expectSuccess(await app.as(viewer).get(`/users/${target.id}`, parameters)).user;

const gravatar = (email: string) =>
  `https://secure.gravatar.com/avatar/${createHash('md5').update(email).digest('hex')}?d=identicon&version=1`;

describe('The record of a person', () => {
  it('has every field with its type [EP9-user_id, EP9-user, USER-user_id, USER-full_name, USER-email, USER-is_bot, USER-bot_type, USER-bot_owner_id, USER-avatar_version, USER-timezone, USER-is_active, USER-role, USER-is_imported_stub, USER-is_deleted, USER-is_billing_admin, USER-profile_data, USER-delivery_email, USER-delivery_email-present, VER-1, VER-59, VER-363, VER-433]', async () => {
    const { mia } = app.cast;
    await expect(record(mia, app.cast.max)).resolves.toEqual({
      user_id: app.cast.max.id,
      full_name: 'Max Member',
      email: 'max@example.com',
      delivery_email: 'max@example.com',
      role: 400,
      is_owner: false,
      is_admin: false,
      is_guest: false,
      is_active: true,
      is_bot: false,
      bot_type: null,
      bot_owner_id: null,
      timezone: '',
      date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/),
      avatar_url: null,
      avatar_version: 1,
      is_imported_stub: false,
    });
  });

  it.each([
    ['olivia', { role: 100, is_owner: true, is_admin: true, is_guest: false }],
    ['adam', { role: 200, is_owner: false, is_admin: true, is_guest: false }],
    ['mona', { role: 300, is_owner: false, is_admin: false, is_guest: false }],
    ['gus', { role: 600, is_owner: false, is_admin: false, is_guest: true }],
  ] as const)(
    'tells the role of %s [USER-role, USER-is_owner, USER-is_admin, USER-is_guest]',
    async (name, roles) => {
      await expect(record(app.cast.mia, app.cast[name])).resolves.toMatchObject(roles);
    },
  );

  it('names a bot with its owner and real address [USER-is_bot, USER-bot_type, USER-bot_owner_id, USER-delivery_email-bot]', async () => {
    await expect(record(app.cast.gus, app.cast.robo)).resolves.toMatchObject({
      is_bot: true,
      bot_type: 1,
      bot_owner_id: app.cast.mia.id,
      email: 'robo-bot@example.com',
      delivery_email: 'robo-bot@example.com',
    });
  });

  it('tells the minute of joining [USER-date_joined]', async () => {
    const joined = Date.UTC(2024, 1, 3, 4, 5, 6) / 1000;
    await changeAccount(app, app.cast.mona, { dateJoined: joined });
    await expect(record(app.cast.mia, app.cast.mona)).resolves.toMatchObject({
      date_joined: '2024-02-03T04:05+00:00',
    });
  });

  it('marks accounts removed for good, and stubs of an import [USER-is_deleted, USER-is_imported_stub, VER-490]', async () => {
    const gone = await app.addAccount({
      deliveryEmail: 'gone@example.com',
      fullName: 'Gone',
      role: Role.member,
    });
    await changeAccount(app, gone, { isActive: false, isDeleted: true, isImportedStub: true });
    await expect(record(app.cast.mia, gone)).resolves.toMatchObject({
      is_active: false,
      is_deleted: true,
      is_imported_stub: true,
    });
  });
});

describe('The picture', () => {
  it('is left to clients unless they ask [EP9-client_gravatar, USER-avatar_url, USER-avatar_url-null, VER-92]', async () => {
    const { mia, max } = app.cast;
    await expect(record(mia, max)).resolves.toHaveProperty('avatar_url', null);
    await expect(record(mia, max, { client_gravatar: true })).resolves.toHaveProperty('avatar_url', null);
    await expect(record(mia, max, { client_gravatar: false })).resolves.toHaveProperty(
      'avatar_url',
      gravatar('max@example.com'),
    );
  });

  it('is spelled out for whoever cannot see the address [USER-avatar_url-null]', async () => {
    const { mia, max, adam } = app.cast;
    await changeAccount(app, max, { emailVisibility: 3 });
    await expect(record(mia, max)).resolves.toHaveProperty('avatar_url', gravatar('max@example.com'));
    await expect(record(adam, max)).resolves.toHaveProperty('avatar_url', null);
    await changeAccount(app, max, { emailVisibility: 1 });
  });
});

describe('The real address', () => {
  const names = ['olivia', 'adam', 'mona', 'mia', 'gus'] as const;

  it.each([
    [1, ['olivia', 'adam', 'mona', 'mia', 'gus']],
    [2, ['olivia', 'adam', 'mona', 'mia']],
    [5, ['olivia', 'adam', 'mona']],
    [3, ['olivia', 'adam']],
    [4, []],
  ] as [number, string[]][])(
    'is shown as its owner chose: %i [USER-delivery_email, USER-delivery_email-present, USER-email, USER-email-placeholder, VER-163]',
    async (emailVisibility, seeing) => {
      const { max } = app.cast;
      await changeAccount(app, max, { emailVisibility });
      for (const name of names) {
        await expect(record(app.cast[name], max)).resolves.toMatchObject({
          delivery_email: seeing.includes(name) ? 'max@example.com' : null,
          email: emailVisibility === 1 ? 'max@example.com' : `user${max.id}@chat.example.com`,
        });
      }
      await expect(record(max, max)).resolves.toHaveProperty('delivery_email', 'max@example.com');
      await changeAccount(app, max, { emailVisibility: 1 });
    },
  );

  it('and the placeholder both sign in', async () => {
    const { max } = app.cast;
    const apiKey = apiKeyOf(app, max);
    for (const email of [`user${max.id}@chat.example.com`, 'MAX@example.com']) {
      expectSuccess(await app.client({ email, apiKey }).get('/users/me'));
    }
  });

  it('finds its owner where it is visible, the placeholder always', async () => {
    const { max, mia, adam } = app.cast;
    await changeAccount(app, max, { emailVisibility: 3 });
    const placeholder = `/users/user${max.id}@chat.example.com`;
    expect(expectSuccess(await app.as(mia).get(placeholder)).user.user_id).toBe(max.id);
    expect(expectSuccess(await app.as(adam).get('/users/Max@example.com')).user.user_id).toBe(max.id);
    expectError(await app.as(mia).get('/users/max@example.com'), 'No such user');
    await changeAccount(app, max, { emailVisibility: 1 });
    expect(expectSuccess(await app.as(mia).get('/users/max@example.com')).user.user_id).toBe(max.id);
    expectError(await app.as(mia).get('/users/nobody@example.com'), 'No such user');
  });
});

describe('Looking people up', () => {
  it('fails for whom there is not, and for the bots of the system', async () => {
    expectError(await app.as(app.cast.mia).get('/users/999999'), 'No such user');
    expectError(await app.as(app.cast.mia).get('/users/99999999999999999999'), 'No such user');
    expectError(await app.as(app.cast.mia).get('/users/nonsense'), 'No such user');
    const members = expectSuccess(await app.as(app.cast.mia).get('/users')).members;
    for (const { user_id: id } of members) expect(id).toEqual(expect.any(Number));
    const bots = app.get(AccountDirectory).systemBots();
    expect(bots.length).toBeGreaterThan(0);
    for (const bot of bots) {
      expectError(await app.as(app.cast.mia).get(`/users/${bot.id}`), 'No such user');
      expect(members).not.toContainEqual(expect.objectContaining({ user_id: bot.id }));
    }
  });

  it('lists everybody, or those asked for', async () => {
    const { mia, max, robo } = app.cast;
    const all = expectSuccess(await app.as(mia).get('/users')).members;
    const ids = all.map((member: { user_id: number }) => member.user_id);
    expect(ids).toEqual(expect.arrayContaining(Object.values(app.cast).map(({ id }) => id)));
    const some = await app.as(mia).get('/users', { user_ids: [robo.id, max.id, robo.id, 999_999] });
    expect(expectSuccess(some).members).toEqual([await record(mia, robo), await record(mia, max)]);
    expectError(await app.as(mia).get('/users', { user_ids: ['x'] }), 'user_ids[0] is not an integer');
  });

  it('answers with one’s own record in the envelope', async () => {
    const { mia, robo } = app.cast;
    const own = await record(mia, mia, { client_gravatar: false, include_custom_profile_fields: true });
    expect(expectSuccess(await app.as(mia).get('/users/me'))).toEqual({
      result: 'success',
      msg: '',
      ...own,
      max_message_id: -1,
    });
    expect(expectSuccess(await app.as(robo).get('/users/me'))).not.toHaveProperty('profile_data');
  });
});
