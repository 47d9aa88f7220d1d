import { gunzipSync } from 'node:zlib';
import type { Answer } from '../support/api-client';
import { BrowserClient, browserOf, FROM_OWN_PAGE } from '../support/browser-client';
import { changeAccount } from '../support/account-setup';
import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { metadata, sendPiece, TUS } from '../support/tus-setup';
import { STAND_IN_FILES, StandInBuild } from '../support/web-app/stand-in-build';

const SCRIPT = 'webpack-bundles/app.fedcba98765432100123.js';
const SCRIPT_TEXT = STAND_IN_FILES[`prod-static/serve/${SCRIPT}`]!;

let app: TestApp;
let build: StandInBuild;

beforeAll(async () => {
  build = new StandInBuild({
    'prod-static/serve/audio/ding.mp3.gz': 'packed',
    'prod-static/serve/audio/ding.mp3': 'plain',
  });
  app = await TestApp.start({ env: { WEB_APP_DIR: build.folder } });
});

afterAll(async () => {
  await app.stop();
  build.remove();
});

/** The parameters in a page. */
function parametersOf({ body }: Answer): Record<string, never> {
  const [, escaped = ''] = /data-params="([^"]*)"/.exec(String(body)) ?? [];
  const text = escaped.replace(
    /&(lt|gt|quot|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name]!,
  );
  return JSON.parse(text) as Record<string, never>;
}

describe('The page of the web app', () => {
  it('is what people see at / who are signed in, and others sign in first', async () => {
    const stranger = new BrowserClient(app.nest);
    await expect(stranger.send({ url: '/' })).resolves.toMatchObject({
      status: 302,
      headers: { location: '/login/' },
    });
    await expect(stranger.send({ url: '/?stream=kitchen' })).resolves.toMatchObject({
      status: 302,
      headers: { location: `/login/?next=${encodeURIComponent('/?stream=kitchen')}` },
    });
    const browser = await browserOf(app, app.cast.mia);
    const page = await browser.send({ url: '/' });
    expect(page).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache, no-store, must-revalidate',
      },
    });
    const html = String(page.body);
    expect(html).toContain('<html lang="en" class="color-scheme-automatic">');
    expect(html).toContain(
      '<link rel="stylesheet" href="/static/webpack-bundles/app.0123456789abcdef0123.css" />',
    );
    expect(html).toContain('href="/static/images/mark.0123456789ab.svg"');
    expect(html).not.toContain('stands outside');
    expect(html).not.toMatch(/\{[%{#]/);
    expect(
      [...html.matchAll(/<script[^>]* src="([^"]+)" defer crossorigin="anonymous">/g)].map(([, src]) => src),
    ).toEqual(['/static/webpack-bundles/runtime.0123456789abcdef0123.js', `/static/${SCRIPT}`]);
  });

  it('has a policy that is held to, a larger one that is reported, and a nonce of its own each time', async () => {
    const browser = await browserOf(app, app.cast.mia);
    const nonces = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const { headers, body } = await browser.send({ url: '/' });
      const [, nonce = ''] =
        /'nonce-([^']+)'/.exec(String(headers['content-security-policy-report-only'])) ?? [];
      expect([...String(body).matchAll(/<script nonce="([^"]*)"/g)].map(([, one]) => one)).toEqual([
        nonce,
        nonce,
        nonce,
      ]);
      expect(headers['content-security-policy']).toBe(
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
  });

  it('tells the app its parameters, and the state with a queue', async () => {
    const { mia } = app.cast;
    const browser = await browserOf(app, mia);
    const parameters = parametersOf(await browser.send({ url: '/' }));
    expect(parameters).toMatchObject({
      page_type: 'home',
      is_spectator: false,
      no_event_queue: false,
      login_page: '/login/',
      request_language: 'en',
      translation_data: {},
      presence_history_limit_days_for_web_app: 365,
      furthest_read_time: null,
      language_list: [{ code: 'en' }, { code: 'de' }, { code: 'pt-br' }],
      state_data: { user_id: mia.id, zulip_feature_level: 497, queue_id: expect.any(String) },
    });
    const { state_data: state } = parameters as unknown as { state_data: Record<string, unknown> };
    expect(Object.keys(state).filter((key) => ['result', 'msg', 'streams'].includes(key))).toEqual([]);
    const poll = await browser.send({
      url: `/json/events?queue_id=${String(state.queue_id)}&last_event_id=-1&dont_block=true`,
    });
    expect(poll.status).toBe(200);
  });

  it('leaves the state out where the app asks for it itself', async () => {
    const browser = await browserOf(app, app.cast.mia);
    const parameters = parametersOf(await browser.send({ url: '/?state_data=deferred&page_params_retry=2' }));
    expect(parameters).toMatchObject({ state_data: null, no_event_queue: true, is_spectator: false });
    const answer = await browser.call('POST', '/json/register', { fetch_event_types: ['realm_user'] });
    expect(answer.body).toMatchObject({ result: 'success', queue_id: expect.any(String) });
  });

  it('shows one conversation where its address names it', async () => {
    const browser = await browserOf(app, app.cast.mia);
    const query = new URLSearchParams({ stream: 'a "quoted" <channel>', topic: 'lunch' }).toString();
    expect(parametersOf(await browser.send({ url: `/?${query}` }))).toMatchObject({
      narrow: [
        { operator: 'stream', operand: 'a "quoted" <channel>' },
        { operator: 'topic', operand: 'lunch' },
      ],
      narrow_stream: 'a "quoted" <channel>',
      narrow_topic: 'lunch',
    });
  });

  it('is in the language and the colours of the person', async () => {
    const { max } = app.cast;
    const browser = await browserOf(app, max);
    expectSuccess(await app.as(max).patch('/settings', { default_language: 'de', color_scheme: 2 }));
    const page = await browser.send({ url: '/' });
    expect(page.body).toContain('<html lang="de" class="dark-theme">');
    expect(page.body).toContain('data-text="Mehr laden"');
    expect(parametersOf(page)).toMatchObject({
      request_language: 'de',
      translation_data: { 'Load more': 'Mehr laden' },
    });
    expectSuccess(await app.as(max).patch('/settings', { default_language: 'pt-br', color_scheme: 3 }));
    const other = await browser.send({ url: '/' });
    expect(other.body).toContain('<html lang="pt-br" >');
    expect(parametersOf(other)).toMatchObject({ translation_data: { Reload: 'Recarregar' } });
  });

  it('lets no name of a person or of the organization break out of it', async () => {
    const { olivia } = app.cast;
    const name = `</div><script>alert(1)</script>"'`;
    await changeAccount(app, olivia, { fullName: name.slice(0, 60) });
    const { body } = await (await browserOf(app, olivia)).send({ url: '/' });
    expect(String(body)).not.toContain('<script>alert');
  });

  it('is where old desktop apps are led', async () => {
    for (const url of ['/desktop_home', '/desktop_home/']) {
      const { status, headers } = await app.client().send({ method: 'GET', url });
      expect({ status, location: headers.location }).toEqual({ status: 302, location: '/' });
    }
  });
});

describe('A file of the web app', () => {
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.nest.inject({ method: 'GET', url: `/static/${url}`, headers });

  it('comes to anybody, for a year where its name has a hash, and may be loaded from anywhere', async () => {
    const answer = await get(SCRIPT);
    expect(answer).toMatchObject({ statusCode: 200, payload: SCRIPT_TEXT });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    const plain = await get('images/favicon.svg');
    expect(plain.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=3600',
    });
  });

  it('comes compressed to whoever takes that, made here or found beside it', async () => {
    const packed = await get(SCRIPT, { 'accept-encoding': 'gzip, br' });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(packed.rawPayload).toString()).toBe(SCRIPT_TEXT);
    expect((await get('audio/ding.mp3', { 'accept-encoding': 'gzip' })).payload).toBe('packed');
    expect((await get('audio/ding.mp3', { 'accept-encoding': 'gzip;q=0' })).payload).toBe('plain');
    expect((await get('images/favicon.svg', { 'accept-encoding': 'gzip' })).headers).not.toHaveProperty(
      'content-encoding',
    );
  });

  it('is not sent again to whoever has it', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }] as Record<string, string>[]) {
      const { headers: first } = await get(SCRIPT, headers);
      const again = await get(SCRIPT, { ...headers, 'if-none-match': String(first.etag) });
      expect({ status: again.statusCode, length: again.rawPayload.length }).toEqual({
        status: 304,
        length: 0,
      });
    }
  });

  it('runs nothing where somebody opens it', async () => {
    const { headers } = await get('webpack-bundles/5xx.html');
    expect(headers['content-security-policy']).toContain('sandbox');
  });

  it.each([
    'webpack-bundles/gone.js',
    '../../version',
    '..%2f..%2fversion',
    '%2e%2e/%2e%2e/version',
    'webpack-bundles/../../../version',
    'webpack-bundles',
    'webpack-bundles/',
    '',
    'images/favicon.svg%00',
    '%E0%A4%A',
  ])('named %j is none', async (path) => {
    const { statusCode } = await get(path);
    expect([400, 404]).toContain(statusCode);
  });

  it('does not take the place of those that the server draws itself', async () => {
    expect((await get('generated/emoji/emoji_api.json')).statusCode).toBe(200);
    expect((await get('images/loading/loader-black.svg')).statusCode).toBe(200);
  });
});

describe('An upload piece by piece, by the session of a browser', () => {
  const begin = (browser: BrowserClient, headers: Record<string, string>) =>
    browser.send({
      method: 'POST',
      url: '/api/v1/tus/',
      headers: {
        ...TUS,
        'upload-length': '4',
        'upload-metadata': metadata({ filename: 'a.txt' }),
        ...headers,
      },
    });

  it('is taken from a page of this server, without a token', async () => {
    const browser = await browserOf(app, app.cast.mia);
    const { status, headers } = await begin(browser, FROM_OWN_PAGE);
    expect(status).toBe(201);
    await expect(
      browser.send({ method: 'HEAD', url: String(headers.location), headers: TUS }),
    ).resolves.toMatchObject({ status: 200, headers: { 'upload-offset': '0' } });
    const last = await sendPiece(app.as(app.cast.mia), String(headers.location), 0, 'abcd');
    expect(last.body).toMatchObject({ filename: 'a.txt' });
    expect((await browser.send({ url: last.body.url })).status).toBe(200);
  });

  it.each([
    ['another site asks', { origin: 'https://evil.example' }],
    ['the browser says that another site asks', { ...FROM_OWN_PAGE, 'sec-fetch-site': 'cross-site' }],
    ['a sandbox asks', { origin: 'null' }],
    ['nobody says who asks', {}],
  ])('is refused where %s', async (_what, headers) => {
    const browser = await browserOf(app, app.cast.mia);
    await expect(begin(browser, headers)).resolves.toMatchObject({
      status: 403,
      body: { code: 'CSRF_FAILED', message: expect.stringContaining('CSRF error') },
    });
  });

  it('is refused without a session, in a way that browsers do not ask for a password', async () => {
    await expect(begin(new BrowserClient(app.nest), FROM_OWN_PAGE)).resolves.toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Session realm="zulip"' },
      body: { code: 'UNAUTHORIZED', message: expect.any(String) },
    });
  });
});

it('Without a web app there are no files of one, and / is as it was', async () => {
  const other = await TestApp.start();
  try {
    expect((await other.client().send({ method: 'GET', url: `/static/${SCRIPT}` })).status).toBe(404);
    const page = await new BrowserClient(other.nest).send({ url: '/' });
    expect(page.status).toBe(200);
  } finally {
    await other.stop();
  }
});
