import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import type { ApiClient } from '../support/api-client';
import { readApiDescription } from '../support/description/openapi';
import { browserOf } from '../support/browser-client';
import { TestApp } from '../support/test-app';
import { UnreadRequests } from '../support/unread-requests';

describe('the API description', () => {
  let app: TestApp;
  let stranger: ApiClient;

  beforeAll(async () => {
    app = await TestApp.start();
    stranger = app.client(null);
  });

  afterAll(() => app.stop());

  /** The page, as a browser without compression gets it. */
  async function page(): Promise<string> {
    const { body } = await stranger.send({ method: 'GET', url: '/api/docs' });
    return String(body);
  }

  it('is given to anybody as the document that was generated', async () => {
    const { status, headers, body } = await stranger.send({ method: 'GET', url: '/api/docs-json' });
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
    });
    expect(body).toEqual(readApiDescription());
  });

  it.each(['/api/docs', '/api/docs-json'])('comes compressed to whoever takes that: %s', async (url) => {
    const plain = await app.nest.inject({ method: 'GET', url });
    const compressed = await app.nest.inject({
      method: 'GET',
      url,
      headers: { 'accept-encoding': 'br, gzip' },
    });
    const refused = await app.nest.inject({
      method: 'GET',
      url,
      headers: { 'accept-encoding': 'gzip;q=0, br;q=0' },
    });
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(plain.body);
    expect(refused.headers).not.toHaveProperty('content-encoding');
    expect(refused.body).toBe(plain.body);
  });

  it.each(['/api/docs', '/api/docs-json'])(
    'takes no memory for clients that do not read it: %s',
    async (path) => {
      if (!app.nest.getHttpServer().listening) await app.nest.listen(0, '127.0.0.1');
      const requests = new UnreadRequests(app.nest.getHttpServer());
      try {
        for (let count = 1; count <= 30; count++) await requests.ask(Array<string>(4).fill(path));
        await requests.settled(120);
        const { rawPayload } = await app.nest.inject({ method: 'GET', url: path });
        expect(rawPayload.length).toBeGreaterThan(500_000);
        expect(requests.bytes).toBeLessThan(120 * 160_000);
      } finally {
        await requests.leave();
      }
    },
  );

  it('is a page that runs one script of the server, its one style sheet being named by its hash [HDR-html]', async () => {
    const { headers, body } = await stranger.send({ method: 'GET', url: '/api/docs' });
    const html = String(body);
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => style);
    const hashes = styles.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src ${hashes.join(' ')}; script-src 'self'; connect-src 'self'; base-uri 'none'; ` +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect([...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<script src="/api/docs.js" defer>',
    ]);
    expect(html).not.toMatch(/<link|<img|<iframe|\sstyle=|\son\w+=|javascript:/i);
  });

  it('has a script that tells it whose session the browser has, and nobody else', async () => {
    const { headers, status } = await stranger.send({ method: 'GET', url: '/api/docs.js' });
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: 'text/javascript; charset=utf-8',
    });
    const url = '/api/docs/session';
    expect((await stranger.send({ method: 'GET', url })).body).toEqual({ name: null, csrf_token: null });
    const browser = await browserOf(app, app.cast.mia);
    const answer = await browser.send({ url });
    expect(answer.headers['cache-control']).toContain('no-store');
    expect(answer.body).toEqual({ name: 'Mia Member', csrf_token: await browser.csrfToken() });
  });

  it('shows how to call each operation', async () => {
    const html = await page();
    const operations = Object.values(readApiDescription().paths).flatMap((methods) => Object.keys(methods));
    const examples = [...html.matchAll(/<pre tabindex="0"><code>(curl -sS [^<]*)<\/code>/g)].map(
      ([, text]) => text,
    );
    expect(examples).toHaveLength(operations.length);
    expect(examples.filter((text) => /\{\w+\}|undefined|null/.test(text ?? ''))).toEqual([]);
  });

  it('has on its page every operation and record, and no link that leads nowhere', async () => {
    const html = await page();
    const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !anchors.has(id))).toEqual([]);
    const { paths, components } = readApiDescription();
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const expected = [
      ...operations.map(({ operationId }) => operationId),
      ...Object.keys(components.schemas).map((name) => `schema-${name}`),
    ];
    expect(expected.filter((id) => !anchors.has(id))).toEqual([]);
    expect(html.match(/<(?:article|section|dl|div|dd|p)\b/g)).toHaveLength(
      (html.match(/<\/(?:article|section|dl|div|dd|p)>/g) ?? []).length,
    );
  });

  it('names roles and the webhook', async () => {
    const { paths, components } = readApiDescription();
    const roles = ['owner', 'administrator', 'moderator', 'member', 'guest'];
    expect(components.schemas.PersonRecord?.properties?.role).toEqual({
      description: expect.any(String),
      anyOf: expect.arrayContaining([{ enum: expect.arrayContaining(roles) }, { type: 'null' }]),
    });
    expect(paths['/api/auth/users']?.post?.security).toEqual([{ token: ['owner', 'administrator'] }]);
    expect(paths['/api/messaging/webhook']?.post?.security).toEqual([{ webhookSecret: [] }]);
    expect(Object.keys(paths['/api/messaging/webhook'] ?? {}).sort()).toEqual(['get', 'post']);
  });
});
