import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UploadSpaceService } from '../../src/features/uploads/upload-space.service';
import { multipart, multipartType, type Part } from '../platform/http/multipart';
import { apiKeyOf } from '../support/account-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { attachmentsOf, load, storedFiles, upload } from '../support/upload-setup';

const MIB = 1024 * 1024;

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { MAX_UPLOAD_MIB: '2' } });
});

afterAll(() => app.stop());

afterEach(() => jest.restoreAllMocks());

const mia = () => app.cast.mia;
const part: Part = { name: 'file', value: 'content', fileName: 'a.txt', type: 'text/plain' };

/** Sends a form as it is. */
const sendForm = (body: Buffer) =>
  app.as(mia()).send({
    method: 'POST',
    url: '/api/v1/user_uploads',
    headers: { 'content-type': multipartType },
    payload: body,
  });

describe('A file', () => {
  it.each(['file', 'filename', 'whatever', '0'])('is uploaded in a field named %s', async (field) => {
    const file = { name: 'my notes.txt', content: 'content', field };
    const answer = expectSuccess(await app.as(mia()).upload('/user_uploads', file));
    expect(answer).toEqual({
      result: 'success',
      msg: '',
      url: expect.stringMatching(/^\/user_uploads\/1\/[0-9a-f]{2}\/[\w-]{24}\/my-notes\.txt$/),
      uri: answer.url,
      filename: 'my notes.txt',
    });
    const served = await load(app, mia(), answer.url);
    expect({ status: served.status, content: served.body.toString() }).toEqual({
      status: 200,
      content: 'content',
    });
  });

  it.each(['gus', 'robo', 'olivia'] as const)('is taken from %s', async (who) => {
    const url = await upload(app, app.cast[who]);
    expect((await load(app, app.cast[who], url)).status).toBe(200);
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['as large as allowed', Buffer.alloc(2 * MIB, 'x')],
    ['of any bytes', Buffer.from(Array.from({ length: 256 }, (_, i) => i))],
  ])('may be %s', async (_what, content) => {
    const url = await upload(app, mia(), { content, name: 'a.bin' });
    const served = await load(app, mia(), url);
    expect(served.body.equals(content)).toBe(true);
    expect(served.headers['content-length']).toBe(String(content.length));
  });

  it('gets an address of its own each time', async () => {
    const urls = [await upload(app, mia()), await upload(app, mia())];
    expect(urls[0]).not.toBe(urls[1]);
  });

  it('tells its owner, and nobody else, that it is there', async () => {
    const before = expectSuccess(await app.as(mia()).get('/attachments')).upload_space_used;
    let url = '';
    const events = await app.captureEvents(async () => {
      url = await upload(app, mia(), { name: 'läst.txt', content: '12345' });
    });
    const [record] = (await attachmentsOf(app, mia())).slice(-1);
    expect(record.path_id).toBe(decodeURIComponent(url.replace('/user_uploads/', '')));
    expect(events).toEqual([
      expect.objectContaining({
        event: { type: 'attachment', op: 'add', attachment: record, upload_space_used: before + 5 },
        audience: [mia().id],
      }),
    ]);
  });
});

describe('The name of a file', () => {
  it.each([
    ['../../../etc/passwd', 'passwd', 'passwd'],
    ['..\\\\..\\\\boot.ini', 'boot.ini', 'boot.ini'],
    ['a\\"b.txt', 'a"b.txt', 'ab.txt'],
    ['läst 👍.png', 'läst 👍.png', 'l%C3%A4st-.png'],
    ['invoice\u202Egpj.exe', 'invoicegpj.exe', 'invoicegpj.exe'],
    ['<script>.html', '<script>.html', 'script.html'],
    ['.htaccess', '.htaccess', 'htaccess'],
    ['x\0y.txt', 'xy.txt', 'xy.txt'],
    ['..', 'uploaded-file', 'uploaded-file'],
    ['', 'uploaded-file', 'uploaded-file'],
  ])('%j becomes harmless', async (fileName, shown, inUrl) => {
    const answer = expectSuccess(await sendForm(multipart([{ ...part, fileName }])));
    expect(answer.filename).toBe(shown);
    expect(answer.url.split('/').slice(5)).toEqual([inUrl]);
    const served = await load(app, mia(), answer.url);
    expect(served.status).toBe(200);
    expect(String(served.headers['content-disposition'])).toMatch(
      /^(inline|attachment); filename="[^"\\\r\n]*"; filename\*=UTF-8''[\w.%~-]*$/,
    );
  });

  it('is cut, but keeps its extension', async () => {
    const answer = expectSuccess(
      await sendForm(multipart([{ ...part, fileName: `${'x'.repeat(3000)}.pdf` }])),
    );
    expect(answer.filename).toBe(`${'x'.repeat(196)}.pdf`);
    expect(answer.url.split('/').at(-1)).toBe(`${'x'.repeat(76)}.pdf`);
    expect((await load(app, mia(), answer.url)).status).toBe(200);
  });

  it('cannot break a header', async () => {
    const body = multipart([{ ...part, fileName: 'FILENAME' }]);
    const hostile = Buffer.from(body.toString().replace('FILENAME', 'a\r\nX-Injected: 1'));
    const answer = expectSuccess(await sendForm(hostile));
    const { headers } = await load(app, mia(), answer.url);
    expect(headers).not.toHaveProperty('x-injected');
    expect(headers['content-disposition']).toBe(`inline; filename="a"; filename*=UTF-8''a`);
  });
});

describe('Nothing is stored of', () => {
  it.each<[string, Buffer, string]>([
    ['a form without a file', multipart([{ name: 'note', value: 'x' }]), 'You must specify a file to upload'],
    ['an empty form', multipart([]), 'You must specify a file to upload'],
    ['two files', multipart([part, part]), 'You may only upload one file at a time'],
    [
      'two files in different fields',
      multipart([part, { ...part, name: 'other' }]),
      'You may only upload one file at a time',
    ],
    [
      'a file that is one byte too large',
      multipart([{ ...part, value: Buffer.alloc(2 * MIB + 1) }]),
      "File is larger than this server's configured maximum upload size (2 MiB).",
    ],
    ['a form that breaks off', multipart([part]).subarray(0, -10), 'Malformed multipart body'],
    [
      'a form that breaks off in the file',
      multipart([{ ...part, value: Buffer.alloc(MIB) }]).subarray(0, MIB / 2),
      'Malformed multipart body',
    ],
    ['something that is no form', Buffer.from('hello'), 'Malformed multipart body'],
  ])('%s', async (_what, body, msg) => {
    const before = { files: storedFiles(app), rows: await attachmentsOf(app, mia()) };
    const events = await app.captureEvents(async () => expectError(await sendForm(body), msg));
    expect({ files: storedFiles(app), rows: await attachmentsOf(app, mia()), events }).toEqual({
      ...before,
      events: [],
    });
  });

  it('a request without a body', async () => {
    expectError(await app.as(mia()).post('/user_uploads'), 'You must specify a file to upload');
  });

  it('somebody without an account', async () => {
    const before = storedFiles(app);
    const answer = await app.client().upload('/user_uploads', { name: 'a', content: 'b' });
    expectError(answer, 'Not logged in: API authentication or user session required', {
      code: 'UNAUTHORIZED',
      status: 401,
    });
    expect(storedFiles(app)).toEqual(before);
  });

  it('a file whose row cannot be written', async () => {
    const before = storedFiles(app);
    jest.spyOn(app.get(UploadSpaceService), 'take').mockRejectedValue(new Error('no more room'));
    const events = await app.captureEvents(async () => {
      const answer = await app.as(mia()).upload('/user_uploads', { name: 'a', content: 'b' });
      expectError(answer, 'Internal server error', { code: null, status: 500 });
    });
    jest.restoreAllMocks();
    expect(events).toEqual([]);
    expect(storedFiles(app)).toEqual(before);
    expect(storedFiles(app)).toHaveLength((await everybodysAttachments()).length);
  });

  it('a client that goes away', async () => {
    await app.nest.listen(0, '127.0.0.1');
    const { port } = app.nest.getHttpServer().address() as AddressInfo;
    const before = storedFiles(app);
    const key = Buffer.from(`${mia().email}:${apiKeyOf(app, mia())}`).toString('base64');
    const call = request({
      port,
      method: 'POST',
      path: '/api/v1/user_uploads',
      headers: {
        authorization: `Basic ${key}`,
        'content-type': multipartType,
        'content-length': 2 * MIB,
      },
    });
    call.on('error', () => undefined);
    call.write(multipart([{ ...part, value: Buffer.alloc(MIB) }]).subarray(0, MIB));
    await until(() => storedFiles(app).length > before.length);
    call.destroy();
    await once(call, 'close').catch(() => undefined);
    await until(() => storedFiles(app).length === before.length);
    expect(storedFiles(app)).toEqual(before);
  });
});

/** Waits for what another connection brings about. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

async function everybodysAttachments(): Promise<unknown[]> {
  const lists = await Promise.all(Object.values(app.cast).map((member) => attachmentsOf(app, member)));
  return lists.flat();
}

it('Many uploads at once leave as many files, rows and bytes', async () => {
  const { attachments, upload_space_used: used } = expectSuccess(await app.as(mia()).get('/attachments'));
  await Promise.all(Array.from({ length: 20 }, () => upload(app, mia(), { content: '0123456789' })));
  const after = expectSuccess(await app.as(mia()).get('/attachments'));
  expect(after.attachments).toHaveLength(attachments.length + 20);
  expect(after.upload_space_used).toBe(used + 200);
  expect(storedFiles(app)).toHaveLength((await everybodysAttachments()).length);
});
