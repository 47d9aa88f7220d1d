import { Database } from '../../src/platform/database/database.service';
import { apiKeyOf, changeAccount } from '../support/account-setup';
import { PASSWORD } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { Role } from '../../src/platform/actor';

const WRONG = [
  'Your username or password is incorrect',
  { status: 401, code: 'AUTHENTICATION_FAILED' },
] as const;
const GONE = ['Account is deactivated', { status: 401, code: 'USER_DEACTIVATED' }] as const;

describe('Fetching one’s key with a password', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });

  afterAll(() => app.stop());

  const fetch = (username: string, password: string = PASSWORD) =>
    app.client().post('/fetch_api_key', { username, password });

  it('gives the key, the address and the ID', async () => {
    const { mia } = app.cast;
    const answer = expectSuccess(await fetch(' MIA@example.com '));
    expect(answer).toMatchObject({
      api_key: apiKeyOf(app, mia),
      email: 'mia@example.com',
      user_id: mia.id,
    });
    expectSuccess(await app.client({ email: answer.email, apiKey: answer.api_key }).get('/users/me'));
  });

  it('fails alike for a wrong password, an unknown address and a bot', async () => {
    for (const answer of [
      await fetch('mia@example.com', 'wrong'),
      await fetch('nobody@example.com'),
      await fetch('robo-bot@example.com'),
      await fetch('notification-bot@zulip.com'),
      await fetch('nonsense'),
    ]) {
      expectError(answer, ...WRONG);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    }
  });

  it('tells of a deactivated account only whoever knows the password', async () => {
    const { max } = app.cast;
    await changeAccount(app, max, { isActive: false });
    expectError(await fetch('max@example.com'), ...GONE);
    expectError(await fetch('max@example.com', 'wrong'), ...WRONG);
    await changeAccount(app, max, { isActive: true });
  });

  it('needs both parameters', async () => {
    const answer = await app.client().post('/fetch_api_key', { username: 'mia@example.com' });
    expect(answer.body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'password' });
  });

  it('ends after five wrong guesses, in whatever spelling and side by side', async () => {
    const guesses = ['mona@example.com', 'MONA@example.com', ' mona@EXAMPLE.com '];
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, i) => fetch(guesses[i % 3] as string, `guess ${i}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429]);
    const refused = await fetch('mona@example.com');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_HIT' } });
    expect(refused.body['retry-after']).toBeGreaterThan(800);
    expect(refused.headers['retry-after']).toBe(String(refused.body['retry-after']));
    expectSuccess(await fetch('adam@example.com'));
  });

  it('is closed without one: a production server hands out no keys [EP13-R1, AUTH-2]', async () => {
    const refusal = 'Endpoint not available in production.';
    expectError(await app.client().post('/dev_fetch_api_key', { username: 'mia@example.com' }), refusal);
    expectError(await app.client().post('/dev_fetch_api_key', { username: 'nonsense' }), refusal);
    expectError(await app.client().get('/dev_list_users'), refusal);
    expect((await app.client().post('/dev_fetch_api_key')).body.code).toBe('REQUEST_VARIABLE_MISSING');
  });
});

describe('Fetching a key on a development server', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ env: { SERVER_MODE: 'development' } });
  });

  afterAll(() => app.stop());

  const fetch = (username: string) => app.client().post('/dev_fetch_api_key', { username });

  it('takes an address and no credentials [EP13-username, EP13-api_key, EP13-email, EP13-user_id, EP13-auth, AUTH-2, VER-171]', async () => {
    const { mia } = app.cast;
    const raw = await fetch('MIA@example.com');
    const answer = expectSuccess(raw);
    expect(answer).toEqual({
      result: 'success',
      msg: '',
      api_key: apiKeyOf(app, mia),
      email: 'mia@example.com',
      user_id: mia.id,
    });
    expectSuccess(await app.client({ email: answer.email, apiKey: answer.api_key }).get('/users/me'));
  });

  const cookiesOf = ({ headers }: { headers: object }) =>
    [(headers as Record<string, string | string[]>)['set-cookie'] ?? []]
      .flat()
      .map((cookie) => cookie.split(';', 1)[0]!);

  it('begins a session with its token, but not where another site asks', async () => {
    const sessions = async () => (await app.get(Database).read.query('SELECT id FROM login_session')).length;
    const before = await sessions();
    const cookies = cookiesOf(await fetch('mia@example.com'));
    expect(cookies).toEqual([expect.stringMatching(/^parley_80=./), expect.stringMatching(/^csrftoken=./)]);
    const token = cookies[1]!.slice('csrftoken='.length);
    const write = (headers: Record<string, string>) =>
      app.client().send({
        method: 'POST',
        url: '/json/users/me/alert_words',
        payload: new URLSearchParams({ alert_words: '["soup"]' }).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          cookie: cookies.join('; '),
          ...headers,
        },
      });
    expect(await write({ 'x-csrftoken': 'guessed' })).toMatchObject({ status: 403 });
    expect(await write({ 'x-csrftoken': token })).toMatchObject({
      status: 200,
      body: { alert_words: ['soup'] },
    });
    const foreign = await app.client().send({
      method: 'POST',
      url: '/api/v1/dev_fetch_api_key',
      payload: 'username=mia%40example.com',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'cross-site',
        origin: 'https://evil.example',
      },
    });
    expect(foreign.status).toBe(200);
    expect(cookiesOf(foreign)).toEqual([]);
    // Nor does one begin of which nobody has the token.
    expect(await sessions()).toBe(before + 1);
    expect(cookiesOf(await fetch('robo-bot@example.com'))).toEqual([]);
  });

  it('needs the address of somebody active [EP13-username]', async () => {
    const { max } = app.cast;
    expect((await app.client().post('/dev_fetch_api_key')).body.code).toBe('REQUEST_VARIABLE_MISSING');
    expectError(await fetch('nonsense'), 'Enter a valid email address.');
    expectError(await fetch('nobody@example.com'), ...WRONG);
    expectError(await fetch('notification-bot@zulip.com'), ...WRONG);
    await changeAccount(app, max, { isActive: false });
    expectError(await fetch('max@example.com'), ...GONE);
  });

  it('is a first sign-in as well [USER-date_joined-first-login]', async () => {
    const fay = await app.addAccount({
      deliveryEmail: 'fay@example.com',
      fullName: 'Fay',
      role: Role.member,
      awaitsFirstLogin: true,
    });
    await changeAccount(app, fay, { dateJoined: 0, isImportedStub: true });
    const events = await app.captureEvents(async () => {
      expectSuccess(await fetch('fay@example.com'));
    });
    const { date_joined, is_imported_stub } = expectSuccess(await app.as(fay).get('/users/me'));
    expect(date_joined).not.toMatch(/^1970/);
    expect(is_imported_stub).toBe(false);
    expect(events.map(({ event }) => event.person)).toEqual([
      { user_id: fay.id, date_joined },
      { user_id: fay.id, is_imported_stub: false },
    ]);
  });

  it('is offered for everybody active', async () => {
    const answer = expectSuccess(await app.client().get('/dev_list_users'));
    const realm_url = 'http://chat.example.com';
    expect(answer.direct_admins).toEqual(
      expect.arrayContaining([
        { email: 'olivia@example.com', realm_url },
        { email: 'adam@example.com', realm_url },
      ]),
    );
    expect(answer.direct_users).toContainEqual({ email: 'gus@example.com', realm_url });
    expect(answer.direct_users).not.toContainEqual({ email: 'max@example.com', realm_url });
  });
});
