import { expectError } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

const MESSAGE = 'Unknown host. The operator can add it to ALLOWED_HOSTS.';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({
    env: {
      SERVER_MODE: 'development',
      ALLOWED_HOSTS: 'Chat.LAN, *.example.net',
      TRUSTED_PROXIES: '10.0.0.1',
      HOST: 'localhost',
    },
  });
});

afterAll(() => app.stop());

type Headers = Readonly<Record<string, string>>;

async function statusFor(headers: Headers, remoteAddress = '192.0.2.7'): Promise<number> {
  const { statusCode } = await app.nest.inject({ url: '/api/v1/server_settings', headers, remoteAddress });
  return statusCode;
}

describe('The server answers for', () => {
  it.each([
    'chat.example.com',
    'CHAT.Example.com',
    'chat.example.com.',
    'chat.example.com:8443',
    'chat.example.com.:8443',
    'chat.example.com:',
    'chat.lan',
    'one.example.net',
    'two.one.example.net:80',
    'localhost',
    'localhost:9991',
    'mia.localhost',
    '127.0.0.1:9991',
    '127.8.9.10',
    '10.1.2.3:9991',
    '203.0.113.9',
    '[::1]',
    '[::1]:9991',
    '[2001:db8::1]:80',
    '[::ffff:10.1.2.3]',
  ])('%s', async (host) => {
    expect(await statusFor({ host })).toBe(200);
  });
});

describe('The server refuses', () => {
  it.each([
    'evil.example',
    'evil.example:9991',
    'example.com',
    'evil.chat.example.com',
    'chat.example.com.evil.example',
    'xchat.example.com',
    'chat.example.com@evil.example',
    'evil.example#chat.example.com',
    'chat.example.com..',
    'example.net',
    'evilexample.net',
    'xlocalhost',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io',
    '2130706433',
    '0x7f.1',
    '::1',
    '[::1',
    '[evil.example]',
    '[::1]evil.example',
    'localhost:9991:80',
    'localhost:80a',
    'chat.example.com, evil.example',
    '.',
    ':80',
  ])('%j', async (host) => {
    expect(await statusFor({ host })).toBe(421);
  });

  it('what a page would read of a development server whose address its own name was made to lead to', async () => {
    const key = (host: string) =>
      app.nest.inject({
        method: 'POST',
        url: '/api/v1/dev_fetch_api_key',
        headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
        payload: `username=${encodeURIComponent(app.cast.olivia.email)}`,
      });
    expect((await key('localhost:9991')).json()).toHaveProperty('api_key');
    const refused = await key('evil.example:9991');
    expect(refused.statusCode).toBe(421);
    expect(refused.json()).toEqual({ result: 'error', code: 'MISDIRECTED_REQUEST', msg: MESSAGE });
  });

  it.each([
    '/',
    '/login/',
    '/console',
    '/health/live',
    '/metrics',
    '/static/x.js',
    '/user_avatars/1',
    '/no/page',
    '/json/users/me',
  ])('everything: %s', async (url) => {
    const headers = { host: 'evil.example' };
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'] as const) {
      const { statusCode } = await app.nest.inject({ method, url, headers });
      expect([method, statusCode]).toEqual([method, 421]);
    }
  });

  it('in the form of each interface, with the headers that every answer has', async () => {
    const { olivia } = app.cast;
    const main = await app
      .as(olivia)
      .send({ method: 'GET', url: '/api/v1/users/me', headers: { host: 'evil.example' } });
    expectError(main, MESSAGE, { code: 'MISDIRECTED_REQUEST', status: 421 });
    const companion = await app.nest.inject({ url: '/api/auth/me', headers: { host: 'evil.example' } });
    expect(companion.json()).toEqual({ detail: MESSAGE });
    expect(companion.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });
});

describe('X-Forwarded-Host', () => {
  const forwarded = (host: string, name: string, address: string) =>
    statusFor({ host, 'x-forwarded-host': name }, address);

  it('has to fit as well where a trusted proxy sends it', async () => {
    expect(await forwarded('10.0.0.9:9991', 'chat.example.com', '10.0.0.1')).toBe(200);
    expect(await forwarded('10.0.0.9:9991', 'evil.example', '10.0.0.1')).toBe(421);
  });

  it('is no excuse for another host, as a page on the machine of the proxy can send it', async () => {
    expect(await forwarded('evil.example', 'chat.example.com', '10.0.0.1')).toBe(421);
  });

  it('of others means nothing', async () => {
    expect(await forwarded('evil.example', 'chat.example.com', '192.0.2.7')).toBe(421);
    expect(await forwarded('chat.example.com', 'evil.example', '192.0.2.7')).toBe(200);
  });
});

it('A server that was given no name answers for addresses and for its own machine alone', async () => {
  const plain = await TestApp.start({ env: { EXTERNAL_URL: 'http://127.0.0.1:9991', HOST: '0.0.0.0' } });
  try {
    const statuses = await Promise.all(
      ['10.0.0.5', 'localhost', '[::1]:9991', 'chat.example.com', 'evil.example'].map(
        async (host) => (await plain.nest.inject({ url: '/health/live', headers: { host } })).statusCode,
      ),
    );
    expect(statuses).toEqual([200, 200, 200, 421, 421]);
  } finally {
    await plain.stop();
  }
});
