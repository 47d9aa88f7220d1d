import { createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { DerivedKeys } from '../../src/platform/secrets/server-secret';
import type { Answer } from '../support/api-client';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';
import { attachmentsOf, load, upload } from '../support/upload-setup';

const clock = new OffsetClock();
let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ clock });
});

afterAll(() => app.stop());

const mia = () => app.cast.mia;
const UNKNOWN = `/user_uploads/1/00/${'A'.repeat(24)}/file.txt`;
const fileNotFound = { status: 404, body: { detail: 'File not found.' } };

/** What an answer says about its content. */
const outline = ({ status, headers, body }: Answer) => ({
  status,
  range: headers['content-range'],
  length: headers['content-length'],
  content: body.toString(),
});

describe('A browser may show', () => {
  it.each([
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['gif', 'image/gif'],
    ['webp', 'image/webp'],
    ['avif', 'image/avif'],
    ['apng', 'image/apng'],
    ['mp4', 'video/mp4'],
    ['webm', 'video/webm'],
    ['mov', 'video/quicktime'],
    ['mp3', 'audio/mpeg'],
    ['ogg', 'audio/ogg'],
    ['wav', 'audio/wav'],
    ['aac', 'audio/aac'],
    ['flac', 'audio/flac'],
    ['m4a', 'audio/mp4'],
    ['weba', 'audio/webm'],
    ['pdf', 'application/pdf'],
    ['txt', 'text/plain; charset=utf-8'],
  ])('%s', async (extension, contentType) => {
    const { headers } = await load(app, mia(), await upload(app, mia(), { name: `a b.${extension}` }));
    expect(headers).toMatchObject({
      'content-type': contentType,
      'content-disposition': `inline; filename="a b.${extension}"; filename*=UTF-8''a%20b.${extension}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none';/),
      'cache-control': 'private, no-cache',
      'x-frame-options': 'DENY',
    });
  });
});

describe('A browser may only save', () => {
  it.each([
    ['page.html', 'text/html'],
    ['page.HTM', 'image/png'],
    ['page.xhtml', 'application/xhtml+xml'],
    ['drawing.svg', 'image/svg+xml'],
    ['drawing.svgz', 'image/png'],
    ['feed.xml', 'text/xml'],
    ['script.js', 'text/javascript'],
    ['style.css', 'text/css'],
    ['page', 'text/html'],
    ['drawing', 'image/svg+xml'],
    ['manual.md', 'text/plain'],
    ['program.exe', 'image/png'],
    ['thing', 'text/html; charset=utf-8'],
    ['thing', 'TEXT/HTML'],
    ['thing', 'multipart/x-mixed-replace'],
  ])('%s, sent as %s', async (name, type) => {
    const content = '<script>alert(1)</script>';
    const { headers } = await load(app, mia(), await upload(app, mia(), { name, type, content }));
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; /),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*; sandbox$/),
    });
  });
});

it('A file without an extension is what its sender says', async () => {
  const url = await upload(app, mia(), { name: 'photo', type: 'image/jpeg' });
  expect((await load(app, mia(), url)).headers['content-type']).toBe('image/jpeg');
});

it('A file is served where the slashes of its path are escaped', async () => {
  const url = await upload(app, mia(), { name: 'ab.txt', content: 'escaped' });
  const escaped = url.replace('/user_uploads/1/', '').replaceAll('/', '%2F');
  const direct = await load(app, mia(), `/user_uploads/1/${escaped}`);
  expect(outline(direct)).toMatchObject({ status: 200, content: 'escaped' });
  const link = expectSuccess(await app.as(mia()).get(`/user_uploads/1/${escaped}`));
  expect(link.url).toMatch(/^\/user_uploads\/temporary\//);
});

it('A file is saved under the name that it was sent with', async () => {
  const url = await upload(app, mia(), { name: "läst; it's 100%.txt" });
  expect((await load(app, mia(), url)).headers['content-disposition']).toBe(
    `inline; filename="l_st; it's 100_.txt"; filename*=UTF-8''l%C3%A4st%3B%20it%27s%20100%25.txt`,
  );
});

describe('Part of a file', () => {
  let url: string;
  let tag: string;

  beforeAll(async () => {
    url = await upload(app, mia(), { content: '0123456789' });
    tag = String((await load(app, mia(), url)).headers.etag);
  });

  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
  ])('is served for %s', async (range, content, contentRange) => {
    const answer = await load(app, mia(), url, { range });
    expect(outline(answer)).toEqual({
      status: 206,
      range: contentRange,
      length: String(content.length),
      content,
    });
    expect(answer.headers).toMatchObject({ 'accept-ranges': 'bytes', etag: tag });
  });

  it.each(['bytes=0-1,4-5', 'bytes=5-1', 'lines=1-2', 'nonsense'])(
    'is not asked for by %s: all of it is served',
    async (range) => {
      expect(outline(await load(app, mia(), url, { range }))).toEqual({
        status: 200,
        range: undefined,
        length: '10',
        content: '0123456789',
      });
    },
  );

  it.each(['bytes=10-', 'bytes=-0'])('cannot be had for %s', async (range) => {
    const answer = await load(app, mia(), url, { range });
    expect(answer).toMatchObject({
      status: 416,
      body: { detail: 'Requested range outside the file' },
    });
    expect(answer.headers['content-range']).toBe('bytes */10');
    expect(answer.headers).not.toHaveProperty('content-disposition');
  });

  it('is served if the file is still the one that was begun with', async () => {
    const range = 'bytes=0-3';
    expect((await load(app, mia(), url, { range, 'if-range': tag })).status).toBe(206);
    expect((await load(app, mia(), url, { range, 'if-range': '"other"' })).status).toBe(200);
  });
});

describe('A file that the caller has already', () => {
  it.each([
    ['its tag', (tag: string) => tag],
    ['its tag as a weak one', (tag: string) => `W/${tag}`],
    ['its tag among others', (tag: string) => `"x", ${tag}`],
    ['any tag', () => '*'],
  ])('is not sent again: %s', async (_what, condition) => {
    const url = await upload(app, mia());
    const tag = String((await load(app, mia(), url)).headers.etag);
    const answer = await load(app, mia(), url, { 'if-none-match': condition(tag) });
    expect(outline(answer)).toMatchObject({ status: 304, content: '' });
    expect(answer.headers).toMatchObject({ etag: tag, 'cache-control': 'private, no-cache' });
  });

  it('is sent where the tag is of another, and each has its own', async () => {
    const [one, other] = [await upload(app, mia()), await upload(app, mia())];
    const tag = String((await load(app, mia(), one)).headers.etag);
    expect((await load(app, mia(), other, { 'if-none-match': tag })).status).toBe(200);
  });
});

it('HEAD tells the same as GET, without the content', async () => {
  const url = await upload(app, mia(), { content: '0123456789', name: 'a.png' });
  const whole = await load(app, mia(), url);
  const head = await load(app, mia(), url, { range: 'bytes=0-1' }, 'HEAD');
  expect(outline(head)).toEqual({ status: 200, range: undefined, length: '10', content: '' });
  for (const header of ['content-type', 'content-disposition', 'content-security-policy', 'etag']) {
    expect(head.headers[header]).toBe(whole.headers[header]);
  }
  expect((await app.nest.inject({ method: 'HEAD', url: UNKNOWN })).statusCode).toBe(404);
});

describe('There is nothing under', () => {
  it.each([
    UNKNOWN,
    UNKNOWN.replace('/1/', '/2/'),
    UNKNOWN.replace('file.txt', '%00'),
    UNKNOWN.replace('A'.repeat(24), '..%2f..%2fsecret'),
    UNKNOWN.replace('/00/', '/%2e%2e%2f/'),
  ])('%s', async (url) => {
    await expect(load(app, mia(), url)).resolves.toMatchObject(fileNotFound);
    const answer = await app.as(mia()).get(url);
    expectError(answer, 'File not found.', { code: 'NOT_FOUND', status: 404 });
  });

  it.each(['/user_uploads/1', '/user_uploads/1/00', '/user_uploads/x/00/a/b', `${UNKNOWN}/more`])(
    '%s, which is no address of a file',
    async (url) => {
      await expect(load(app, mia(), url)).resolves.toMatchObject({
        status: 404,
        body: { detail: 'Page not found' },
      });
    },
  );

  it('another name of a file that is there', async () => {
    const url = await upload(app, mia());
    await expect(load(app, mia(), url.replace('file.txt', 'other.txt'))).resolves.toMatchObject(fileNotFound);
  });
});

it('Wrong credentials are refused, not passed over', async () => {
  const client = app.client({ email: mia().email, apiKey: 'x'.repeat(32) });
  const answer = await client.send({ method: 'GET', url: await upload(app, mia()) });
  expect(answer).toMatchObject({ status: 401, body: { detail: 'Invalid API key' } });
});

describe('The address for downloading', () => {
  const forDownload = (url: string) => url.replace('/user_uploads/', '/user_uploads/download/');

  it.each(['png', 'pdf', 'txt', 'svg'])('has a browser save a %s', async (extension) => {
    const url = await upload(app, mia(), { name: `a b.${extension}`, content: '0123456789' });
    const answer = await load(app, mia(), forDownload(url), { range: 'bytes=2-3' });
    expect(outline(answer)).toMatchObject({ status: 206, content: '23' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="a b.${extension}"; filename*=UTF-8''a%20b.${extension}`,
    });
  });

  it('opens the file to those alone who may read it', async () => {
    const url = forDownload(await upload(app, mia()));
    for (const reader of [app.cast.max, app.cast.olivia, null]) {
      expect((await load(app, reader, url)).status).toBe(403);
    }
    await expect(load(app, mia(), forDownload(UNKNOWN))).resolves.toMatchObject(fileNotFound);
  });
});

describe('A temporary link', () => {
  const temporaryUrl = async (url: string): Promise<string> =>
    expectSuccess(await app.as(mia()).get(url)).url;

  it('opens the file to whoever has it, for a minute', async () => {
    const url = await upload(app, mia(), { name: 'läst.txt', content: '0123456789' });
    const link = await temporaryUrl(url);
    expect(link).toMatch(/^\/user_uploads\/temporary\/[\w-]+\/l%C3%A4st\.txt$/);
    const answer = await load(app, null, link);
    expect(outline(answer)).toMatchObject({ status: 200, content: '0123456789' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(outline(await load(app, null, link, { range: 'bytes=2-3' })).content).toBe('23');

    clock.aheadMs += 55_000;
    expect((await load(app, null, link)).status).toBe(200);
    clock.aheadMs += 5_000;
    await expect(load(app, null, link)).resolves.toMatchObject({
      status: 400,
      body: { detail: 'Invalid token' },
    });
    expect((await load(app, null, await temporaryUrl(url))).status).toBe(200);
  });

  it('opens the file under its own name alone', async () => {
    const link = await temporaryUrl(await upload(app, mia(), { name: 'läst.txt' }));
    const name = encodeURIComponent('läst.txt');
    for (const other of ['invoice.pdf', 'L%C3%84ST.TXT', `${name}.exe`, '%00', `..%2F${name}`]) {
      await expect(load(app, null, link.replace(name, other))).resolves.toMatchObject({
        status: 400,
        body: { detail: 'Invalid filename' },
      });
    }
    const decomposed = encodeURIComponent('läst.txt'.normalize('NFD'));
    expect((await load(app, null, link.replace(name, decomposed))).status).toBe(200);
  });

  it('never brings a file to run that its address would not', async () => {
    const link = await temporaryUrl(await upload(app, mia(), { name: 'a.svg' }));
    const { headers } = await load(app, null, link);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="a.svg"; filename*=UTF-8''a.svg`,
    });
  });

  it('ends with its file', async () => {
    const url = await upload(app, mia());
    const link = await temporaryUrl(url);
    const [{ id }] = (await attachmentsOf(app, mia())).slice(-1);
    expectSuccess(await app.as(mia()).delete(`/attachments/${id}`));
    await expect(load(app, null, link)).resolves.toMatchObject(fileNotFound);
  });

  it('cannot be forged', async () => {
    const link = await temporaryUrl(await upload(app, mia()));
    const [, , , token = ''] = link.split('/');
    const [id = '', expiry = '', ...signature] = token.split('-');
    const later = (Number.parseInt(expiry, 36) + 3600).toString(36);
    const forgeries = [
      [id, later, ...signature].join('-'),
      [(Number.parseInt(id, 36) - 1).toString(36), expiry, ...signature].join('-'),
      [id, expiry].join('-'),
      `${id}-${expiry}-${createHash('sha256').update(`${id}-${expiry}`).digest('base64url')}`,
      `${token}A`,
      token.slice(0, -2),
      token.toUpperCase(),
      '%00',
      'x',
    ];
    for (const forgery of forgeries) {
      const answer = await load(app, null, link.replace(token, forgery));
      expect({ forgery, status: answer.status }).toEqual({ forgery, status: 400 });
    }
  });

  it('is signed under a key of its own', () => {
    const keys = app.get(DerivedKeys);
    expect(keys.current('temporary-links').equals(keys.current('api-keys'))).toBe(false);
  });

  it('is not for somebody without an account', async () => {
    const answer = await app.client().get(await upload(app, mia()));
    expectError(answer, 'Not logged in: API authentication or user session required', {
      code: 'UNAUTHORIZED',
      status: 401,
    });
  });
});

it('A reader who takes their time does not make the server read ahead, and one who leaves ends it', async () => {
  const content = Buffer.alloc(20 * 1024 * 1024, 'x');
  const url = await upload(app, mia(), { name: 'a.bin', content });
  const link: string = expectSuccess(await app.as(mia()).get(url)).url;
  await app.nest.listen(0, '127.0.0.1');
  const { port } = app.nest.getHttpServer().address() as AddressInfo;
  const before = process.memoryUsage().arrayBuffers;
  const call = get({ port, path: link });
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  await once(answer, 'readable');
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024);
  answer.destroy();
  await once(call, 'close').catch(() => undefined);
  expect((await load(app, null, link)).body).toHaveLength(content.length);
});
