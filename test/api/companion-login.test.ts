import { decode, type JwtPayload } from 'jsonwebtoken';
import { Role } from '../../src/platform/actor';
import { LoginSessionService } from '../../src/features/users/users.module';
import { Database } from '../../src/platform/database/database.service';
import { changeAccount } from '../support/account-setup';
import { addAccount, PASSWORD, type Member } from '../support/cast';
import type { CompanionClient } from '../support/companion-client';
import { expectSuccess } from '../support/expect-answer';
import { StoppedClock } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const EIGHT_HOURS = 8 * 3600;
const NEW_PASSWORD = 'seven quiet herons in the reeds';
const WRONG = { status: 401, body: { detail: 'Incorrect email or password' } };
const ENDED = { status: 401, body: { detail: 'Invalid or expired token' } };

describe('The companion interface', () => {
  const clock = new StoppedClock();
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ clock, withoutLaw: 'one account gets a role that there is not' });
  });

  afterAll(() => app.stop());

  const login = (email: unknown, password: unknown = PASSWORD) =>
    app.companion().post('/auth/login', { email, password });

  const expectEnded = async (client: CompanionClient) =>
    expect(await client.get('/auth/me')).toMatchObject(ENDED);

  const expectSignedIn = async (client: CompanionClient) =>
    expect((await client.get('/auth/me')).status).toBe(200);

  /** Somebody new, with the cast's password. */
  const newcomer = async (name: string, role: Role = Role.member): Promise<Member> => {
    const [row] = await app
      .get(Database)
      .read.query<{ password_hash: string }>('SELECT password_hash FROM account WHERE id = ?', [
        app.cast.mia.id,
      ]);
    return addAccount(app.nest, {
      deliveryEmail: `${name}@example.com`,
      fullName: name,
      role,
      passwordHash: row?.password_hash,
    });
  };

  describe('signing in', () => {
    it('takes two texts and nothing larger from strangers', async () => {
      const countless = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [at.toString(16), 1]));
      expect(await login(countless)).toMatchObject({
        status: 413,
        body: { detail: 'Request body is too large' },
      });
      const many = Object.fromEntries(Object.entries(countless).slice(0, 2_000));
      for (const value of [many, [many]]) {
        expect(await login(value)).toMatchObject({
          status: 422,
          body: { detail: [{ loc: ['body', 'email'], type: 'string_type' }] },
        });
      }
    });

    it('takes the longest password, however it is escaped', async () => {
      const escaped = '\\ud83d\\udc4d'.repeat(4_096);
      const answer = await app.nest.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers: { 'content-type': 'application/json' },
        payload: `{"email":"nobody@example.com","password":"${escaped}"}`,
      });
      expect({ status: answer.statusCode, body: answer.json() }).toEqual(WRONG);
    });

    it('gives a token for eight hours and the record of the person [COMP-login, COMP-token]', async () => {
      const { mia } = app.cast;
      const answer = await login(' MIA@example.com ');
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'bearer',
        expires_in: EIGHT_HOURS,
        user: {
          user_id: mia.id,
          email: 'mia@example.com',
          full_name: 'Mia Member',
          role: 'member',
          is_active: true,
          can_create_users: false,
          date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/),
        },
      });
      expect(await (await app.companionAs(mia)).get('/auth/me')).toMatchObject({
        status: 200,
        body: answer.body.user,
      });
    });

    it('is for people of every role', async () => {
      for (const [name, role] of [
        ['olivia', 'owner'],
        ['adam', 'administrator'],
        ['mona', 'moderator'],
        ['max', 'member'],
        ['gus', 'guest'],
      ] as const) {
        expect(await login(`${name}@example.com`)).toMatchObject({ status: 200, body: { user: { role } } });
      }
      expect((await login('olivia@example.com')).body.user.can_create_users).toBe(true);
    });

    it('fails alike for a wrong password, an unknown address and bots', async () => {
      for (const [email, password] of [
        ['mia@example.com', 'wrong'],
        ['mia@example.com', ''],
        ['nobody@example.com', PASSWORD],
        ['robo-bot@example.com', PASSWORD],
        ['robo-bot@example.com', ''],
        ['notification-bot@zulip.com', PASSWORD],
        ['', ''],
      ]) {
        const answer = await login(email, password);
        expect(answer).toMatchObject(WRONG);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    });

    it('tells of a deactivated account only whoever knows the password', async () => {
      const dora = await newcomer('dora');
      await changeAccount(app, dora, { isActive: false });
      expect(await login(dora.email)).toMatchObject({
        status: 403,
        body: { detail: 'Account is deactivated' },
      });
      expect(await login(dora.email, 'wrong')).toMatchObject(WRONG);
    });

    it('refuses roles that are none [AUTH-10c]', async () => {
      const zora = await newcomer('zora');
      await changeAccount(app, zora, { role: 500 as Role });
      expect(await login(zora.email)).toMatchObject({
        status: 403,
        body: { detail: 'The role of this account is unknown' },
      });
    });

    it('is a first sign-in as well', async () => {
      const fay = await newcomer('fay');
      await changeAccount(app, fay, { awaitsFirstLogin: true, dateJoined: 0 });
      const { body } = await login(fay.email);
      expect(body.user.date_joined).not.toMatch(/^1970/);
    });

    it.each([
      ['no body', undefined],
      ['a missing password', { email: 'mia@example.com' }],
      ['numbers', { email: 5, password: 5 }],
      ['lists', { email: ['mia@example.com'], password: [PASSWORD] }],
      ['null', { email: 'mia@example.com', password: null }],
      ['an unknown key', { email: 'mia@example.com', password: PASSWORD, role: 'owner' }],
      ['a huge password', { email: 'mia@example.com', password: 'x'.repeat(4097) }],
      ['a huge address', { email: `${'x'.repeat(320)}@example.com`, password: PASSWORD }],
      ['NUL', { email: 'mia@example.com\0', password: PASSWORD }],
    ])('refuses %s', async (_, body) => {
      expect((await app.companion().post('/auth/login', body)).status).toBe(422);
    });

    it('takes JSON and nothing else', async () => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = `email=mia%40example.com&password=${encodeURIComponent(PASSWORD)}`;
      expect((await app.companion().post('/auth/login', body, form)).status).toBe(415);
      expect((await app.companion().post('/auth/login', '{"email":')).status).toBe(400);
      const poisoned = `{"email":"mia@example.com","password":"x","__proto__":{"role":"owner"}}`;
      expect((await app.companion().post('/auth/login', poisoned)).status).toBe(400);
      const large = JSON.stringify({ email: 'a', password: 'x'.repeat(5 * 1024 * 1024) });
      expect(await app.companion().post('/auth/login', large)).toMatchObject({
        status: 413,
        body: { detail: expect.any(String) },
      });
    });
  });

  describe('what is not there', () => {
    it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)(
      'is registering with %s [COMP-register, ERR-register]',
      async (method) => {
        const body = method === 'GET' ? undefined : { email: 'new@example.com', password: NEW_PASSWORD };
        const answer = await app.companion().call(method, '/auth/register', body);
        expect(answer).toMatchObject({ status: 404, body: { detail: 'Page not found' } });
        const signedIn = await app.companionAs(app.cast.olivia);
        expect((await signedIn.call(method, '/auth/register', body)).status).toBe(404);
      },
    );

    it('has a detail, as have wrong methods', async () => {
      for (const path of ['', '/', '/auth', '/auth/', '/auth/nothing', '/nothing', '/v2/users']) {
        const answer = await app.companion().get(path);
        expect(answer).toMatchObject({ status: 404, body: { detail: 'Page not found' } });
        expect(Object.keys(answer.body)).toEqual(['detail']);
      }
      const answer = await app.companion().get('/auth/login');
      expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' } });
      expect(answer.body).toEqual({ detail: 'Method Not Allowed' });
      expect((await app.companion().delete('/auth/me')).status).toBe(405);
    });
  });

  describe('a session', () => {
    it('ends when its owner signs out, and no other does', async () => {
      const [here, there] = [await app.companionAs(app.cast.mia), await app.companionAs(app.cast.mia)];
      expect(await here.post('/auth/logout')).toMatchObject({ status: 204, body: '' });
      await expectEnded(here);
      expect(await here.post('/auth/logout')).toMatchObject(ENDED);
      await expectSignedIn(there);
    });

    it('ends after eight hours, and its row goes', async () => {
      const client = await app.companionAs(app.cast.mia);
      const rows = async () => (await app.get(Database).read.query('SELECT id FROM login_session')).length;
      clock.now += (EIGHT_HOURS - 1) * 1000;
      await expectSignedIn(client);
      const later = await app.companionAs(app.cast.max);
      clock.now += 1000;
      await expectEnded(client);
      await expectSignedIn(later);
      expect(await rows()).toBeGreaterThan(1);
      await app.get(LoginSessionService).deleteExpired();
      expect(await rows()).toBe(1);
      await expectSignedIn(later);
    });

    it('ends with a deactivation, for good', async () => {
      const ned = await newcomer('ned');
      const client = await app.companionAs(ned);
      expectSuccess(await app.as(app.cast.olivia).delete(`/users/${ned.id}`));
      await expectEnded(client);
      expectSuccess(await app.as(app.cast.olivia).post(`/users/${ned.id}/reactivate`));
      await expectEnded(client);
      await expectSignedIn(await app.companionAs(ned));
    });

    it('ends when somebody deactivates their own account', async () => {
      const own = await newcomer('own');
      const client = await app.companionAs(own);
      expectSuccess(await app.as(own).delete('/users/me'));
      await expectEnded(client);
    });

    it('ends with another role, for good', async () => {
      const rob = await newcomer('rob', Role.administrator);
      const client = await app.companionAs(rob);
      const become = async (role: Role) =>
        expectSuccess(await app.as(app.cast.olivia).patch(`/users/${rob.id}`, { role }));
      await become(Role.member);
      await expectEnded(client);
      await become(Role.administrator);
      await expectEnded(client);
    });

    it('goes on when something else about its owner changes', async () => {
      const client = await app.companionAs(app.cast.mia);
      expectSuccess(await app.as(app.cast.mia).patch('/settings', { full_name: 'Mia Miller' }));
      expectSuccess(await app.as(app.cast.mia).post('/users/me/api_key/regenerate'));
      expect((await client.get('/auth/me')).body.full_name).toBe('Mia Miller');
    });

    it('ends when its owner changes the password in the main interface', async () => {
      const pam = await newcomer('pam');
      const client = await app.companionAs(pam);
      const change = { old_password: PASSWORD, new_password: NEW_PASSWORD };
      expectSuccess(await app.as(pam).patch('/settings', change));
      await expectEnded(client);
      expect(await login(pam.email)).toMatchObject(WRONG);
      expect((await login(pam.email, NEW_PASSWORD)).status).toBe(200);
    });

    it('does not begin with a password that was changed meanwhile', async () => {
      const ria = await newcomer('ria');
      const logins = () => Array.from({ length: 10 }, () => login(ria.email));
      const before = logins();
      const change = { old_password: PASSWORD, new_password: NEW_PASSWORD };
      const changed = app.as(ria).patch('/settings', change);
      const answers = await Promise.all([...before, ...logins()]);
      expectSuccess(await changed);
      for (const { status, body } of answers) {
        if (status === 200) await expectEnded(app.companion().withToken(body.access_token));
        else expect([401, 429]).toContain(status);
      }
    });
  });

  describe('changing one’s own password', () => {
    it('ends all sessions, and begins a new one', async () => {
      const sue = await newcomer('sue');
      const [here, there] = [await app.companionAs(sue), await app.companionAs(sue)];
      const answer = await here.patch('/auth/me/password', {
        current_password: PASSWORD,
        new_password: NEW_PASSWORD,
      });
      expect(answer).toMatchObject({
        status: 200,
        body: { token_type: 'bearer', expires_in: EIGHT_HOURS, user: { user_id: sue.id } },
      });
      await expectEnded(here);
      await expectEnded(there);
      const authorization = `Bearer ${answer.body.access_token}`;
      expect((await app.companion().get('/auth/me', { authorization })).status).toBe(200);
      expect(await login(sue.email)).toMatchObject(WRONG);
      expect((await login(sue.email, NEW_PASSWORD)).status).toBe(200);
    });

    it('needs the present one and a good new one, and changes nothing otherwise', async () => {
      const tim = await newcomer('tim');
      const client = await app.companionAs(tim);
      const change = (current_password: unknown, new_password: unknown) =>
        client.patch('/auth/me/password', { current_password, new_password });
      expect(await change('wrong', NEW_PASSWORD)).toMatchObject({
        status: 400,
        body: { detail: 'Wrong password!' },
      });
      expect(await change(PASSWORD, 'password')).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(/^New password is too weak\. Choose /) },
      });
      expect((await change(PASSWORD, 'x'.repeat(4097))).status).toBe(422);
      expect((await change(PASSWORD, null)).status).toBe(422);
      await expectSignedIn(client);
      expect((await login(tim.email)).status).toBe(200);
    });

    it('is throttled', async () => {
      const tom = await newcomer('tom');
      const client = await app.companionAs(tom);
      const change = (current_password: string) =>
        client.patch('/auth/me/password', { current_password, new_password: NEW_PASSWORD });
      const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => change(`guess ${i}`)));
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
      expect(await change(PASSWORD)).toMatchObject({ status: 429 });
    });

    it('succeeds once when tried several times at the same instant', async () => {
      const uma = await newcomer('uma');
      const client = await app.companionAs(uma);
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, i) =>
          client.patch('/auth/me/password', {
            current_password: PASSWORD,
            new_password: `${NEW_PASSWORD} ${i}`,
          }),
        ),
      );
      const [winner, ...others] = answers.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      const authorization = `Bearer ${winner?.body.access_token}`;
      expect((await app.companion().get('/auth/me', { authorization })).status).toBe(200);
      await expectEnded(client);
    });
  });
});

describe('A companion interface that is set up otherwise', () => {
  const lines: string[] = [];
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({
      env: { LOG_LEVEL: 'trace', ACCESS_TOKEN_LIFETIME_SECONDS: '60' },
      log: { write: (line) => void lines.push(line) },
    });
  });

  afterAll(() => app.stop());

  it('gives tokens for as long as the operator wants', async () => {
    const { max } = app.cast;
    const { body } = await app.companion().post('/auth/login', { email: max.email, password: PASSWORD });
    const { iat, exp } = decode(body.access_token) as JwtPayload;
    expect({ expires_in: body.expires_in, lifetime: (exp as number) - (iat as number) }).toEqual({
      expires_in: 60,
      lifetime: 60,
    });
  });

  it('logs neither passwords nor tokens', async () => {
    const { mia } = app.cast;
    const client = await app.companionAs(mia);
    const guess = 'a guess that must not be seen';
    await app.companion().post('/auth/login', { email: mia.email, password: guess });
    await app.companion().post('/auth/login', `{"password":"${guess}`);
    await app.companion().post('/auth/login', { email: mia.email, password: [guess] });
    await client.patch('/auth/me/password', { current_password: guess, new_password: NEW_PASSWORD });
    const { body } = await client.patch('/auth/me/password', {
      current_password: PASSWORD,
      new_password: NEW_PASSWORD,
    });
    await app.companion().withToken(`${client.token}x`).get('/auth/me');
    await app.companion().withToken(body.access_token).post('/auth/logout');

    const log = lines.join('');
    expect(log).toContain('/api/auth/me/password');
    for (const token of [client.token as string, body.access_token as string]) {
      expect(log).not.toContain(token);
      for (const part of token.split('.')) expect(log).not.toContain(part);
      expect(log).not.toContain((decode(token) as JwtPayload).jti);
    }
    for (const password of [PASSWORD, NEW_PASSWORD, guess]) expect(log).not.toContain(password);
  });
});
