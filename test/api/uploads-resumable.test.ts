import { ExpireUnfinishedService } from '../../src/features/uploads/resumable/unfinished-uploads.service';
import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';
import { begin, begun, metadata, progressOf, sendPart, sendPiece, TUS, until } from '../support/tus-setup';
import { attachmentsOf, load, storedFiles, upload } from '../support/upload-setup';

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

let app: TestApp;
const clock = new OffsetClock();

beforeAll(async () => {
  app = await TestApp.start({
    env: { MAX_UPLOAD_MIB: '6', UPLOAD_QUOTA_PER_PERSON_MIB: '8', UPLOAD_QUOTA_MIB: '20' },
    clock,
  });
});

afterAll(() => app.stop());

const mia = () => app.cast.mia;

const contentOf = async (url: string) => (await load(app, mia(), url)).body as Buffer;

describe('A file that arrives piece by piece', () => {
  it('is there with the last piece, for whoever uploaded it', async () => {
    const begins = await begin(app, mia(), 11, { filename: 'my notes.txt', filetype: 'text/plain' });
    expect(begins).toMatchObject({
      status: 201,
      headers: { ...TUS, location: expect.stringMatching(/^\/api\/v1\/tus\/[\w-]{24}$/) },
    });
    const url = String(begins.headers.location);
    await expect(sendPiece(app.as(mia()), url, 0, 'Hello ')).resolves.toMatchObject({
      status: 204,
      headers: { ...TUS, 'upload-offset': '6' },
    });
    await expect(progressOf(app, mia(), url)).resolves.toMatchObject({
      status: 200,
      headers: { ...TUS, 'upload-offset': '6', 'upload-length': '11', 'cache-control': 'no-store' },
    });
    const events = await app.captureEvents(async () => {
      const last = await sendPiece(app.as(mia()), url, 6, 'there');
      expect(last).toMatchObject({ status: 200, headers: { ...TUS, 'upload-offset': '11' } });
      expect(last.body).toEqual({
        result: 'success',
        msg: '',
        url: expect.stringMatching(/^\/user_uploads\/1\/[0-9a-f]{2}\/[\w-]{24}\/my-notes\.txt$/),
        filename: 'my notes.txt',
      });
      expect((await contentOf(last.body.url)).toString()).toBe('Hello there');
    });
    expect(events).toMatchObject([
      { event: { type: 'attachment', op: 'add', attachment: { name: 'my notes.txt', size: 11 } } },
    ]);
    expect(storedFiles(app, 'unfinished')).toEqual([]);
    expect((await progressOf(app, mia(), url)).status).toBe(404);
    expect((await app.as(mia()).send({ method: 'DELETE', url, headers: TUS })).status).toBe(404);
  });

  it('may come whole, larger than other bodies may be', async () => {
    const content = Buffer.alloc(5 * MIB, 'abcdefg');
    const url = await begun(app, mia(), content.length, 'large.bin');
    const answer = await sendPiece(app.as(mia()), url, 0, content);
    expect(answer.status).toBe(200);
    expect((await contentOf(answer.body.url)).equals(content)).toBe(true);
    const [attachment] = (await attachmentsOf(app, mia())).filter(
      ({ name }: { name: string }) => name === 'large.bin',
    );
    expectSuccess(await app.as(mia()).delete(`/attachments/${attachment.id}`));
  });

  it('is complete at once where it is empty', async () => {
    const answer = await begin(app, mia(), 0, { filename: 'nothing.txt' });
    expect(answer).toMatchObject({ status: 200, headers: { 'upload-offset': '0' } });
    expect(await contentOf(answer.body.url)).toHaveLength(0);
  });

  it.each([
    ['', 'uploaded-file'],
    ['..', 'uploaded-file'],
    ['../../etc/passwd', 'passwd'],
  ])('that calls itself "%s" is called %s', async (name, shown) => {
    const url = await begun(app, mia(), 1, name);
    expect((await sendPiece(app.as(mia()), url, 0, 'x')).body).toMatchObject({ filename: shown });
  });

  it('goes on where the connection broke', async () => {
    const url = await begun(app, mia(), 10);
    const { breakOff } = await sendPart(app, mia(), url, 0, '0123', 10);
    await until(() => storedFiles(app, 'unfinished').length === 1);
    breakOff();
    await until(async () => (await progressOf(app, mia(), url)).headers['upload-offset'] === '4');
    const answer = await sendPiece(app.as(mia()), url, 4, '456789');
    expect((await contentOf(answer.body.url)).toString()).toBe('0123456789');
  });

  it('is taken up by a new connection while the old one says nothing', async () => {
    const url = await begun(app, mia(), 10);
    const { answered, breakOff } = await sendPart(app, mia(), url, 0, '0123', 10);
    await until(() => storedFiles(app, 'unfinished').length === 1);
    const { headers } = await progressOf(app, mia(), url);
    const offset = Number(headers['upload-offset']);
    expect(offset).toBeLessThanOrEqual(4);
    // The old one is told how far it came, and ends.
    await until(() => answered().includes('\r\n\r\n'));
    expect(answered()).toMatch(/^HTTP\/1\.1 204 /);
    expect(answered()).toContain(`\r\nupload-offset: ${offset}\r\n`);
    expect(answered()).toContain('\r\nconnection: close\r\n');
    breakOff();
    const answer = await sendPiece(app.as(mia()), url, offset, '0123456789'.slice(offset));
    expect((await contentOf(answer.body.url)).toString()).toBe('0123456789');
  });

  it('is given up on request', async () => {
    const url = await begun(app, mia(), 10);
    await sendPiece(app.as(mia()), url, 0, '0123');
    await expect(app.as(mia()).send({ method: 'DELETE', url, headers: TUS })).resolves.toMatchObject({
      status: 204,
      headers: TUS,
    });
    expect((await sendPiece(app.as(mia()), url, 4, '4')).status).toBe(404);
    expect(storedFiles(app, 'unfinished')).toEqual([]);
  });

  it('is given up after a day without a piece', async () => {
    const url = await begun(app, mia(), 10);
    clock.aheadMs += DAY_MS - 60_000;
    await sendPiece(app.as(mia()), url, 0, '01');
    clock.aheadMs += DAY_MS - 60_000;
    await app.get(ExpireUnfinishedService).expire();
    expect((await progressOf(app, mia(), url)).status).toBe(200);
    clock.aheadMs += 120_000;
    await app.get(ExpireUnfinishedService).expire();
    expect((await progressOf(app, mia(), url)).status).toBe(404);
    expect(storedFiles(app, 'unfinished')).toEqual([]);
  });

  it('makes the oldest of more than fifty of a person and their bots be given up', async () => {
    const { robo } = app.cast;
    const first = await begun(app, mia(), 1);
    clock.aheadMs += 1000;
    const second = await begun(app, robo, 1);
    clock.aheadMs += 1000;
    for (let i = 0; i < 49; i++) await begun(app, i % 2 === 0 ? mia() : robo, 1);
    expect((await progressOf(app, mia(), first)).status).toBe(404);
    expect((await progressOf(app, robo, second)).status).toBe(200);
  });
});

describe('A piece', () => {
  it.each(['5', '0'])('that begins at byte %s instead of 2 is refused', async (offset) => {
    const url = await begun(app, mia(), 10);
    await sendPiece(app.as(mia()), url, 0, '01');
    await expect(sendPiece(app.as(mia()), url, Number(offset), 'xx')).resolves.toMatchObject({
      status: 409,
      headers: { 'upload-offset': '2' },
      body: { message: 'The next piece must start at byte 2.' },
    });
  });

  it('that goes beyond the end is refused, and nothing of it kept', async () => {
    const url = await begun(app, mia(), 4);
    const before = storedFiles(app, 'unfinished');
    await expect(sendPiece(app.as(mia()), url, 0, '01234')).resolves.toMatchObject({
      status: 413,
      body: { message: 'Upload exceeds the declared length.' },
    });
    expect(storedFiles(app, 'unfinished')).toEqual(before);
    expect((await progressOf(app, mia(), url)).headers['upload-offset']).toBe('0');
  });

  it('of somebody else is for nobody', async () => {
    const url = await begun(app, mia(), 4);
    const { max } = app.cast;
    expect((await sendPiece(app.as(max), url, 0, 'xxxx')).status).toBe(404);
    expect((await progressOf(app, max, url)).status).toBe(404);
    expect((await app.as(max).send({ method: 'DELETE', url, headers: TUS })).status).toBe(404);
    expect((await sendPiece(app.as(mia()), url, 0, 'mine')).status).toBe(200);
  });

  it.each([
    ['another type', { 'content-type': 'application/octet-stream' }, 415],
    ['no offset', { 'upload-offset': '' }, 422],
    ['a negative offset', { 'upload-offset': '-1' }, 422],
    ['another version of the protocol', { 'tus-resumable': '0.2.2' }, 412],
  ])('with %s is refused', async (_what, headers, status) => {
    const url = await begun(app, mia(), 4);
    const answer = await app.as(mia()).send({
      method: 'PATCH',
      url,
      headers: {
        ...TUS,
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        ...headers,
      },
      payload: 'abcd',
    });
    expect(answer).toMatchObject({ status, headers: TUS, body: { message: expect.any(String) } });
    expect((await progressOf(app, mia(), url)).headers['upload-offset']).toBe('0');
  });
});

describe('The beginning of an upload', () => {
  it('tells what the server can do', async () => {
    for (const url of ['/api/v1/tus', '/api/v1/tus/']) {
      await expect(app.client().send({ method: 'OPTIONS', url })).resolves.toMatchObject({
        status: 204,
        headers: {
          ...TUS,
          'tus-version': '1.0.0',
          'tus-extension': 'creation,termination',
          'tus-max-size': String(6 * MIB),
        },
      });
    }
  });

  it.each([
    ['no length', { 'upload-length': undefined }, 411],
    ['a length that is none', { 'upload-length': '1e3' }, 422],
    ['metadata in no Base64', { 'upload-metadata': 'filename ä' }, 422],
    ['metadata in no UTF-8', { 'upload-metadata': 'filename /w==' }, 422],
    ['more metadata than there is', { 'upload-metadata': Array(51).fill('a Yg==').join() }, 422],
    ['another version of the protocol', { 'tus-resumable': undefined }, 412],
  ])('with %s is refused', async (_what, headers, status) => {
    const sent = { ...TUS, 'upload-length': '4', 'upload-metadata': metadata({ filename: 'a' }), ...headers };
    const answer = await app.as(mia()).send({
      method: 'POST',
      url: '/api/v1/tus/',
      headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
    });
    expect(answer).toMatchObject({ status, headers: TUS, body: { message: expect.any(String) } });
  });

  it('asks for credentials, and never answers with the status that clients try again', async () => {
    const url = '/api/v1/tus/';
    await expect(app.client().send({ method: 'POST', url })).resolves.toMatchObject({
      status: 401,
      body: { message: expect.any(String), code: 'UNAUTHORIZED' },
    });
    const headers = { authorization: 'Bearer whatever' };
    expect((await app.client().send({ method: 'POST', url, headers })).status).toBe(422);
  });

  it('is refused for a file that is too large', async () => {
    await expect(begin(app, app.cast.robo, 6 * MIB + 1)).resolves.toMatchObject({
      status: 413,
      body: { message: "File is larger than this server's configured maximum upload size (6 MiB)." },
    });
  });

  it('promises no room: others may be quicker', async () => {
    const { gus } = app.cast;
    const url = await begun(app, gus, 3 * MIB);
    const before = storedFiles(app);
    await upload(app, gus, { content: Buffer.alloc(5.5 * MIB) });
    await expect(sendPiece(app.as(gus), url, 0, Buffer.alloc(3 * MIB))).resolves.toMatchObject({
      status: 413,
      body: { code: 'USER_UPLOAD_QUOTA' },
    });
    expect(storedFiles(app)).toHaveLength(before.length + 1);
    expect((await progressOf(app, gus, url)).status).toBe(404);
  });
});
