import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { changeAccount } from '../support/account-setup';
import { addAccount } from '../support/cast';
import type { CompanionClient } from '../support/companion-client';
import { expectSuccess } from '../support/expect-answer';
import { Role } from '../../src/platform/actor';
import { TestApp } from '../support/test-app';

const STRONG = 'seven green umbrellas';
const ROLES = ['owner', 'administrator', 'moderator', 'member', 'guest'] as const;

let app: TestApp;
let owner: CompanionClient;
let administrator: CompanionClient;

beforeAll(async () => {
  app = await TestApp.start();
  owner = await app.companionAs(app.cast.olivia);
  administrator = await app.companionAs(app.cast.adam);
});

afterAll(() => app.stop());

let counter = 0;
const newcomer = (more: object = {}) => {
  const name = `newcomer${++counter}`;
  return { email: `${name}@example.com`, full_name: name, password: STRONG, role: 'member', ...more };
};
const names = ({ body }: { body: { items: { full_name: string }[] } }) =>
  body.items.map(({ full_name }) => full_name);

describe('Managing people', () => {
  it('is for administrators with a token [COMP-users-administrators, AUTH-10a]', async () => {
    const requests = [
      ['GET', '/auth/users', undefined],
      ['GET', `/auth/users/${app.cast.max.id}`, undefined],
      ['POST', '/auth/users', newcomer()],
      ['PATCH', `/auth/users/${app.cast.max.id}`, { full_name: 'Else' }],
      ['DELETE', `/auth/users/${app.cast.max.id}`, undefined],
    ] as const;
    for (const [method, path, body] of requests) {
      expect(await app.companion().call(method, path, body)).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { detail: expect.any(String) },
      });
      for (const member of [app.cast.mona, app.cast.mia, app.cast.gus]) {
        const client = await app.companionAs(member);
        expect(await client.call(method, path, body)).toMatchObject({
          status: 403,
          body: { detail: 'Must be an organization administrator' },
        });
      }
    }
    expect(app.get(AccountDirectory).byId(app.cast.max.id)).toMatchObject({ fullName: 'Max Member' });
  });

  it('knows people by their IDs, and no bots', async () => {
    expect(await administrator.get(`/auth/users/${app.cast.mia.id}`)).toMatchObject({
      status: 200,
      body: {
        user_id: app.cast.mia.id,
        email: 'mia@example.com',
        full_name: 'Mia Member',
        role: 'member',
        is_active: true,
        can_create_users: false,
      },
    });
    for (const id of [app.cast.robo.id, 999_999, 1]) {
      for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
        const body = method === 'PATCH' ? {} : undefined;
        expect(await owner.call(method, `/auth/users/${id}`, body)).toMatchObject({
          status: 404,
          body: { detail: 'No such user' },
        });
      }
    }
    expect((await owner.get('/auth/users/mia@example.com')).status).toBe(404);
    expect((await owner.delete('/auth/users')).status).toBe(405);
    expect((await owner.patch('/auth/users', {})).status).toBe(405);
  });
});

describe('The list of people', () => {
  it('names everybody in the order of their IDs, in pages [COMP-users-list, COMP-users-pages]', async () => {
    const people = Object.values(app.cast).filter(({ id }) => id !== app.cast.robo.id);
    const whole = await administrator.get('/auth/users');
    expect(whole).toMatchObject({
      status: 200,
      body: { total: people.length, page: 1, page_size: 20, next_cursor: null },
    });
    expect(names(whole)).toEqual(people.map(({ fullName }) => fullName));
    const first = await administrator.get('/auth/users?limit=4');
    expect(first.body).toMatchObject({ total: people.length, page_size: 4 });
    const second = await administrator.get('/auth/users?page=2&page_size=4');
    const rest = await administrator.get(`/auth/users?page_size=4&cursor=${first.body.next_cursor}`);
    expect([...names(first), ...names(second)]).toEqual(names(whole));
    expect(names(rest)).toEqual(names(second));
    expect(rest.body).toMatchObject({ page: null, next_cursor: null });
    expect((await administrator.get('/auth/users?page_size=500')).body.page_size).toBe(100);
    expect(await administrator.get('/auth/users?page_size=5&limit=5')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'limit'] }] },
    });
  });

  it('can be searched by part of a name or address, in any case [COMP-users-search]', async () => {
    const odd = await addAccount(app.nest, {
      deliveryEmail: 'odd_one@example.com',
      fullName: 'Ünal 100% Öztürk',
      role: Role.guest,
    });
    const found = async (query: object) =>
      names(await administrator.get(`/auth/users?${new URLSearchParams({ ...query }).toString()}`));
    expect(await found({ search: ' MIA@exam' })).toEqual(['Mia Member']);
    expect(await found({ search: 'membER' })).toEqual(['Max Member', 'Mia Member']);
    expect(await found({ search: 'ünal' })).toEqual([odd.fullName]);
    expect(await found({ search: '%' })).toEqual([odd.fullName]);
    expect(await found({ search: '_' })).toEqual([odd.fullName]);
    expect(await found({ search: 'd_o' })).toEqual([odd.fullName]);
    expect(await found({ search: "' OR 1=1 --" })).toEqual([]);
    expect(await found({ role: ' Admin ' })).toEqual(['Adam Administrator']);
    await changeAccount(app, odd, { isActive: false });
    expect(await found({ is_active: false })).toEqual([odd.fullName]);
    expect(await found({ role: 'guest', is_active: true })).toEqual(['Gus Guest']);
    expect(await administrator.get('/auth/users?role=boss')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', 'role'], type: 'enum' }] },
    });
  });
});

describe('Creating people', () => {
  it('gives them an account of both interfaces [COMP-users-create]', async () => {
    const person = newcomer({ role: 'moderator' });
    const events = await app.captureEvents(async () => {
      expect(await owner.post('/auth/users', person)).toMatchObject({
        status: 201,
        body: { email: person.email, full_name: person.full_name, role: 'moderator', is_active: true },
      });
    });
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({
        type: 'realm_user',
        op: 'add',
        person: expect.objectContaining({ role: 300 }),
      }),
    );
    const client = await app.companion().signIn(person.email, STRONG);
    const { user_id } = (await client.get('/auth/me')).body;
    const { user } = expectSuccess(await app.as(app.cast.mia).get(`/users/${user_id}`));
    expect(user).toMatchObject({ role: 300, full_name: person.full_name });
    expect(await owner.post('/auth/users', newcomer({ email: person.email }))).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/^Email is already in use\. The account may be deactivated/) },
    });
  });

  it('needs the right to create accounts, as in the main interface [COMP-users-create]', async () => {
    expect(await administrator.post('/auth/users', newcomer())).toMatchObject({
      status: 403,
      body: {
        detail: expect.stringMatching(
          /^User not authorized to create users\. An owner lets an administrator do so: .* --can-create-users"\.$/,
        ),
      },
    });
    expect(await owner.patch(`/auth/users/${app.cast.adam.id}`, { can_create_users: true })).toMatchObject({
      status: 200,
      body: { can_create_users: true },
    });
    expect((await administrator.post('/auth/users', newcomer())).status).toBe(201);
    expect(await administrator.post('/auth/users', newcomer({ role: 'owner' }))).toMatchObject({
      status: 403,
      body: { detail: 'Must be an organization owner' },
    });
    expect((await owner.post('/auth/users', newcomer({ role: 'owner' }))).body.role).toBe('owner');
  });

  it.each([
    ['Owner', 'owner'],
    [' ADMIN ', 'administrator'],
    ['Administrator', 'administrator'],
    ['\tmoderator\n', 'moderator'],
    ['MEMBER', 'member'],
    ['guest ', 'guest'],
    [undefined, 'member'],
  ])('takes %j for the role %s [COMP-users-roles, AUTH-10b]', async (given, role) => {
    const answer = await owner.post('/auth/users', newcomer({ role: given }));
    expect(answer).toMatchObject({ status: 201, body: { role } });
  });

  it.each(['boss', '', 'administrators', 'constructor', '400', 400, null, ['member'], true])(
    'refuses %j for a role and says which there are [COMP-users-roles, AUTH-10b]',
    async (role) => {
      const answer = await owner.post('/auth/users', newcomer({ role }));
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'role'] }] } });
      for (const name of ROLES) expect(answer.body.detail[0].msg).toContain(name);
      expect((await owner.patch(`/auth/users/${app.cast.max.id}`, { role })).status).toBe(422);
    },
  );

  it('checks the rest as the main interface does, and creates nobody where something is wrong', async () => {
    const before = app.get(AccountDirectory).all().length;
    const refusals = [
      [newcomer({ password: 'password' }), 400, expect.stringMatching(/^The password is too weak\. Choose /)],
      [newcomer({ full_name: 'Wanda Wolf', password: 'wandawolf123' }), 400, expect.any(String)],
      [newcomer({ full_name: '  ' }), 400, expect.any(String)],
      [
        newcomer({ email: 'nobody' }),
        400,
        expect.stringMatching(/^Bad name or username\. Enter a valid email address, /),
      ],
      [{ ...newcomer(), is_admin: true }, 422, [expect.objectContaining({ loc: ['body', 'is_admin'] })]],
      [{ email: 'x@example.com' }, 422, expect.any(Array)],
    ] as const;
    for (const [body, status, detail] of refusals) {
      expect(await owner.post('/auth/users', body)).toMatchObject({ status, body: { detail } });
    }
    expect(app.get(AccountDirectory).all()).toHaveLength(before);
  });

  it('creates one of fifty with one address at the same instant', async () => {
    const person = newcomer();
    const answers = await Promise.all(Array.from({ length: 50 }, () => owner.post('/auth/users', person)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  });
});

it('A token of somebody who lost the role meanwhile is of no use [COMP-users-administrators, AUTH-10a]', async () => {
  const person = newcomer({ role: 'administrator' });
  const { user_id } = (await owner.post('/auth/users', person)).body;
  const client = await app.companion().signIn(person.email, STRONG);
  expect((await client.get('/auth/users')).status).toBe(200);
  expect((await owner.patch(`/auth/users/${user_id}`, { role: 'member' })).status).toBe(200);
  expect((await client.get('/auth/users')).status).toBe(401);
});
