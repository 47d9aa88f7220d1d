import { TransactionService } from '../../src/platform/database/transaction.service';
import type { Method } from '../support/api-client';
import { PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { readTable } from '../support/permissions/table';
import { TestApp } from '../support/test-app';
import { upload } from '../support/upload-setup';

/** What must not appear, each in a place of its own. */
const PLANTED = {
  SECRET_KEY: 'planted-server-secret-0123456789abcdef',
  METRICS_TOKEN: 'planted-metrics-token',
  WEBHOOK_SECRET: 'planted-webhook-secret-0123456789abcdef',
  WEBHOOK_APP_SECRET: 'planted-app-secret-0123456789abcdef',
  WEBHOOK_VERIFY_TOKEN: 'planted-verify-token-0123456789abcdef',
};
const GUESS = 'planted-guess';
const NEW_PASSWORD = 'planted-and-correct-horse-battery';

/** Endpoints, with something in the place of their parameters. */
const routes = [...readTable().endpoints.keys()].map((endpoint) => {
  const [method, path = ''] = endpoint.split(' ');
  const url = path.startsWith('{site}') ? path.slice('{site}'.length) : `/api/v1${path}`;
  return { method: method as Method, url: url.replace('{token}', GUESS).replace(/\{\w+\}/g, '1') };
});

describe('the log of a server that is told secrets', () => {
  let app: TestApp;
  const lines: string[] = [];
  /** Found out on the way: keys and tokens that the server gave away. */
  const given: string[] = [PASSWORD, GUESS, NEW_PASSWORD, ...Object.values(PLANTED)];

  beforeAll(async () => {
    const log = { write: (line: string) => void lines.push(line) };
    app = await TestApp.start({ log, env: { LOG_LEVEL: 'trace', ...PLANTED } });
  });

  afterAll(() => app.stop());

  beforeEach(() => {
    lines.length = 0;
  });

  /** Asserts that something was logged, and nothing of what is secret. */
  function expectNothingShown(): void {
    const text = lines.join('');
    expect(lines.length).toBeGreaterThan(0);
    const encoded = given.flatMap((secret) => [secret, encodeURIComponent(secret), btoa(secret)]);
    expect(encoded.filter((secret) => text.includes(secret))).toEqual([]);
    expect(lines.filter((line) => /planted|basic [a-z0-9]|eyJ[\w-]{8}/i.test(line))).toEqual([]);
  }

  const QUERY = ['api_key', 'password', 'token', 'secret', 'hub.verify_token', 'access_token', 'key']
    .map((name) => `${name}=${GUESS}`)
    .join('&');

  it.each([
    [
      'in the query and in headers',
      { 'x-webhook-secret': GUESS, 'x-hub-signature-256': `sha256=${GUESS}`, cookie: GUESS },
      undefined,
    ],
    ['as a key', { authorization: `Basic ${btoa(`mia@example.com:${GUESS}`)}` }, undefined],
    ['as a token', { authorization: `Bearer ${GUESS}` }, undefined],
    [
      'in a form',
      { 'content-type': 'application/x-www-form-urlencoded' },
      `password=${GUESS}&token=${GUESS}&username=a@example.com`,
    ],
    [
      'in JSON',
      { 'content-type': 'application/json' },
      JSON.stringify({ password: GUESS, email: 'a@example.com' }),
    ],
    ['in broken JSON', { 'content-type': 'application/json' }, `{"password": ${GUESS}`],
  ])('shows none of them on any route, sent %s', async (_, headers, payload) => {
    for (const { method, url } of routes) {
      const path = url.startsWith('/user_uploads') ? url : `${url}?${QUERY}`;
      const body = method === 'GET' ? undefined : payload;
      await app.nest.inject({ method, url: path, headers: headers as Record<string, string>, payload: body });
    }
    expect(lines.length).toBeGreaterThanOrEqual(routes.length);
    expectNothingShown();
  });

  it('shows none of them on addresses that there are not, and for methods that there are not', async () => {
    for (const url of [
      `/api/v1/nowhere?api_key=${GUESS}`,
      `/user_uploads/temporary/${GUESS}`,
      `//user_uploads/temporary//${GUESS}/a`,
    ]) {
      for (const method of ['GET', 'PUT', 'OPTIONS'] as const) await app.nest.inject({ method, url });
    }
    expectNothingShown();
  });

  it('shows none of them of people who sign in, change their password and get a new key', async () => {
    const { max } = app.cast;
    const key = expectSuccess(
      await app.client().post('/fetch_api_key', { username: max.email, password: PASSWORD }),
    ).api_key;
    given.push(key);
    await app.client().post('/fetch_api_key', { username: max.email, password: GUESS });
    const { body } = await app
      .companion()
      .post('/auth/login', { email: 'max@example.com', password: PASSWORD });
    given.push(body.access_token);
    await (await app.companionAs(max)).get('/auth/me');
    for (const secret of [key, body.access_token]) {
      for (const url of [`/api/v1/nowhere/${secret}`, `/api/auth/me;key=${secret}`, `/${secret}/%ff`]) {
        expect((await app.nest.inject({ method: 'GET', url })).statusCode).toBeGreaterThanOrEqual(400);
      }
    }
    expectSuccess(
      await app.as(max).patch('/settings', { old_password: PASSWORD, new_password: NEW_PASSWORD }),
    );
    given.push(expectSuccess(await app.as(max).post('/users/me/api_key/regenerate')).api_key);
    given.push(app.credentialsOf(max).apiKey);
    expectNothingShown();
  });

  it('shows none of them of people and bots that are made', async () => {
    const { olivia } = app.cast;
    expectSuccess(
      await app
        .as(olivia)
        .post('/users', { email: 'gail@example.com', full_name: 'Gail', password: NEW_PASSWORD }),
    );
    const bot = expectSuccess(
      await app.as(olivia).post('/bots', { full_name: 'Robot', short_name: 'robot' }),
    );
    given.push(bot.api_key);
    await app.companionAs(olivia).then((client) =>
      client.post('/auth/users', {
        email: 'hal@example.com',
        full_name: 'Hal',
        password: NEW_PASSWORD,
        role: 'member',
      }),
    );
    expectNothingShown();
  });

  it('shows none of them of messaging, figures and links to files', async () => {
    const { mia } = app.cast;
    const { WEBHOOK_SECRET, WEBHOOK_VERIFY_TOKEN, METRICS_TOKEN } = PLANTED;
    await app.nest.inject({
      method: 'POST',
      url: '/api/messaging/webhook',
      headers: { 'x-webhook-secret': WEBHOOK_SECRET, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'from=1&text=hello&id=1&timestamp=1',
    });
    const handshake = `hub.mode=subscribe&hub.verify_token=${WEBHOOK_VERIFY_TOKEN}&hub.challenge=1`;
    await app.nest.inject({ method: 'GET', url: `/api/messaging/webhook?${handshake}` });
    await app.nest.inject({
      method: 'GET',
      url: '/metrics',
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    const link: string = expectSuccess(await app.as(mia).get(await upload(app, mia))).url;
    given.push(link.split('/').at(-2) as string);
    expect((await app.nest.inject({ method: 'GET', url: link })).statusCode).toBe(200);
    expectNothingShown();
  });

  // The last one, as little works after it.
  it('shows none of them where the database fails', async () => {
    const transactions = app.get(TransactionService);
    await transactions.run((tx) => tx.query('ALTER TABLE account RENAME TO gone'));
    const form = { username: 'mia@example.com', password: PASSWORD };
    expect((await app.client().post('/fetch_api_key', form)).status).toBe(500);
    await app.companion().post('/auth/login', { email: 'mia@example.com', password: PASSWORD });
    await app.as(app.cast.mia).patch('/settings', { old_password: PASSWORD, new_password: NEW_PASSWORD });
    await app.as(app.cast.mia).post('/users/me/api_key/regenerate');
    expect(lines.some((line) => line.includes('"level":"error"'))).toBe(true);
    expectNothingShown();
    await transactions.run((tx) => tx.query('ALTER TABLE gone RENAME TO account'));
  });
});
