import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { browserOf, BrowserClient } from '../support/browser-client';
import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

const FOLDER = join(__dirname, '../../dist/console');
/** In bytes, compressed: what is loaded before anything is shown, one part that is loaded later, and everything. */
const BUDGET = { start: 70 * 1024, part: 40 * 1024, all: 220 * 1024, style: 12 * 1024, worker: 4 * 1024 };

interface Listing {
  readonly scripts: Readonly<Record<string, string>>;
  readonly style: string;
  readonly worker: string;
  readonly files: readonly string[];
}

const listing = JSON.parse(readFileSync(join(FOLDER, 'assets.json'), 'utf8')) as Listing;

describe('the console', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });

  afterAll(() => app.stop());

  const stranger = () => new BrowserClient(app.nest);

  /** A script, and the parts that it loads later. */
  function loadedBy(script: string): string[] {
    const found = new Set([script]);
    for (const name of found) {
      const text = readFileSync(join(FOLDER, name), 'utf8');
      for (const [part] of text.matchAll(/part-\w+\.js/g)) found.add(part);
    }
    return [...found];
  }

  it.each(Object.keys(listing.scripts))('is small in the language "%s"', (language) => {
    const script = listing.scripts[language]!;
    const bytesOf = (names: readonly string[]) =>
      names.map((name) => gzipSync(readFileSync(join(FOLDER, name)), { level: 9 }).length);
    const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0);
    const scripts = loadedBy(script);
    const parts = scripts.filter((name) => name !== script);
    expect(parts.length).toBeGreaterThan(1);
    expect(sum(bytesOf([script]))).toBeLessThanOrEqual(BUDGET.start);
    expect(Math.max(...bytesOf(parts))).toBeLessThanOrEqual(BUDGET.part);
    expect(sum(bytesOf(scripts))).toBeLessThanOrEqual(BUDGET.all);
    expect(sum(bytesOf([listing.style]))).toBeLessThanOrEqual(BUDGET.style);
    expect(sum(bytesOf([listing.worker]))).toBeLessThanOrEqual(BUDGET.worker);
  });

  it('starts with one file', () => {
    const script = readFileSync(join(FOLDER, listing.scripts['en']!), 'utf8');
    expect(script).toMatch(/\bimport\(/);
    expect(script).not.toMatch(/\bfrom ?"\.|\bimport ?"/);
  });

  it.each(['/console', '/console/people', '/console/channels/7/topic/weekly%20plan'])(
    'is at %s for people with a session, and leads others to where they sign in',
    async (url) => {
      const browser = await browserOf(app, app.cast.gus);
      const { status, headers, body } = await browser.send({ url });
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(body).toContain(`src="/console/assets/${listing.scripts['en']}"`);
      expect(body).toContain(`href="/console/assets/${listing.style}"`);
      const answer = await stranger().send({ url });
      expect(answer.status).toBe(302);
      expect(answer.headers.location).toBe(`/login/?next=${encodeURIComponent(url)}`);
    },
  );

  it.each([
    ['de', 'de'],
    ['fr', 'en'],
    ['en-gb', 'en'],
    ['en', 'en'],
  ])('answers to who chose "%s" in "%s"', async (chosen, language) => {
    const { max } = app.cast;
    expectSuccess(await app.as(max).patch('/settings', { default_language: chosen }));
    const { body } = await (await browserOf(app, max)).send({ url: '/console' });
    expect(body).toContain(`<html lang="${language}" dir="ltr">`);
    expect(body).toContain(`src="/console/assets/${listing.scripts[language]}"`);
  });

  it('is in the language of the browser until its owner chooses one', async () => {
    const { mona } = app.cast;
    const shown = async (accepted: string) => {
      const browser = await browserOf(app, mona, { 'accept-language': accepted });
      const { body } = await browser.send({ url: '/console' });
      return /<html lang="(\w+)" dir="ltr">/.exec(String(body))?.[1];
    };
    const asked = ['fr, de-AT;q=0.8, en;q=0.5', 'en;q=0.5, de', 'en, de', 'de;q=0', 'fr', '*', ';;,q=1'];
    const languages: (string | undefined)[] = [];
    for (const accepted of asked) languages.push(await shown(accepted));
    expect(languages).toEqual(['de', 'de', 'en', 'en', 'en', 'en', 'en']);
    const target_users = { user_ids: [mona.id], skip_if_already_edited: false };
    const byAnother = { target_users, default_language: 'en', enter_sends: true };
    expectSuccess(await app.as(app.cast.adam).patch('/settings', byAnother));
    expect(await shown('de')).toBe('de');
    expectSuccess(await app.as(mona).patch('/settings', { default_language: 'en' }));
    expect(await shown('de')).toBe('en');
  });

  it('is where the bare address leads people with a session', async () => {
    const browser = await browserOf(app, app.cast.mia);
    const { status, headers } = await browser.send({ url: '/' });
    expect([status, headers.location]).toEqual([302, '/console']);
    expect((await stranger().send({ url: '/' })).status).toBe(200);
  });

  it('may run nothing but its own script, and is framed by nobody', async () => {
    const browser = await browserOf(app, app.cast.mia);
    const { headers, body } = await browser.send({ url: '/console' });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; " +
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types parley-rendered parley-worker",
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'x-frame-options': 'DENY',
    });
    expect(body).not.toMatch(/<style|style=|<script(?! type="module" src=)| on[a-z]+=/);
  });

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip, br;q=0', gunzipSync],
    [undefined, 'deflate', (bytes: Buffer) => bytes],
  ])('sends its files as %s for good to clients that accept %s', async (coding, accepted, unpack) => {
    for (const name of listing.files) {
      const url = `/console/assets/${name}`;
      const { headers, rawPayload } = await app.nest.inject({
        url,
        headers: { 'accept-encoding': accepted },
      });
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-length': String(rawPayload.length),
        vary: 'Accept-Encoding',
      });
      expect(headers['content-encoding']).toBe(coding);
      expect(unpack(rawPayload).equals(readFileSync(join(FOLDER, name)))).toBe(true);
    }
  });

  it.each(['assets.json', '..%2f..%2fpackage.json', 'app.js', '%00'])('has no file %s', async (name) => {
    expect((await stranger().send({ url: `/console/assets/${name}` })).status).toBe(404);
  });

  it('names the licences of what is in its script', async () => {
    const { body } = await stranger().send({ url: '/console/assets/licences.txt' });
    for (const name of ['preact', '@preact/signals', '@preact/signals-core'])
      expect(body).toContain(`${name}\n`);
    expect(body).toContain('MIT');
  });

  it('has a worker for its pages and nothing else', async () => {
    const { status, headers, body } = await stranger().send({ url: '/console/worker.js' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; img-src 'self'",
      'service-worker-allowed': '/console',
    });
    expect(body).toBe(readFileSync(join(FOLDER, listing.worker), 'utf8'));
  });

  it('can be installed as an app, by the name of the organization', async () => {
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { name: 'Acme & Sons' }));
    const { headers, body } = await stranger().send({ url: '/console/manifest.webmanifest' });
    expect(headers['content-type']).toBe('application/manifest+json; charset=utf-8');
    const manifest = JSON.parse(body) as { icons: { src: string; sizes: string }[] };
    expect(manifest).toMatchObject({ name: 'Acme & Sons', start_url: '/console', display: 'standalone' });
    expect(manifest.icons).toHaveLength(3);
    for (const { src, sizes } of manifest.icons) {
      const { rawPayload, headers: sent } = await app.nest.inject({ url: src });
      expect(sent['content-type']).toBe('image/png');
      // PNG: the width and the height are the first two numbers of the header.
      expect(`${rawPayload.readUInt32BE(16)}x${rawPayload.readUInt32BE(20)}`).toBe(sizes);
    }
    const browser = await browserOf(app, app.cast.gus);
    const page = (await browser.send({ url: '/console' })).body;
    expect(page).toContain('<link rel="manifest" href="/console/manifest.webmanifest" />');
    const [, touch] = /<link rel="apple-touch-icon" href="([^"]+)"/.exec(page) ?? [];
    expect((await stranger().send({ url: touch! })).status).toBe(200);
  });

  it('has a sign for the list of windows', async () => {
    const { status, headers, body } = await app.nest
      .inject({ url: '/favicon.ico' })
      .then((answer) => ({ status: answer.statusCode, headers: answer.headers, body: answer.payload }));
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
    expect(body).toMatch(/^<svg /);
  });
});

describe('a server without the console', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ env: { CONSOLE: 'off' } });
  });

  afterAll(() => app.stop());

  it('has no page and no files of it, and shows the front page to everybody', async () => {
    const browser = await browserOf(app, app.cast.mia);
    expect((await browser.send({ url: '/console' })).status).toBe(404);
    for (const name of [`assets/${listing.scripts['en']}`, 'worker.js', 'manifest.webmanifest'])
      expect((await browser.send({ url: `/console/${name}` })).status).toBe(404);
    const { status, body } = await browser.send({ url: '/' });
    expect(status).toBe(200);
    expect(body).toContain('You are signed in as Mia Member.');
    expect(body).toContain('<form method="post" action="/accounts/logout/"');
  });
});
