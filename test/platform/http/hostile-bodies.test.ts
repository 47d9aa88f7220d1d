import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { Controller, Get, Patch, Post } from '@nestjs/common';
import { Public } from '../../../src/platform/http/decorators';
import { RawBody, SentBody } from '../../../src/platform/http/body/raw-body';
import { PIECE_TYPE, SentPiece, type StreamedBody } from '../../../src/platform/http/body/streamed-body';
import { Upload, type UploadedFile } from '../../../src/platform/http/body/uploaded-file';
import { Parameter } from '../../../src/platform/http/parameters/parameter.decorator';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator';
import { text } from '../../../src/platform/http/parameters/text';
import { Random } from '../../support/random';
import { as, createHttpApp, type HttpApp } from './http-app';
import { multipart, multipartType, type Part } from './multipart';

const KIB = 1024;
const MIB = 1024 * KIB;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const MEMBER = as();

class FormDto {
  @Parameter(text(), { optional: true }) topic?: string;
}

@Controller()
class BodiesController {
  @Post('api/v1/form')
  form(@Parameters() { topic = '' }: FormDto) {
    return { length: topic.length };
  }

  @Patch('api/v1/changed')
  change(@Parameters() { topic = '' }: FormDto) {
    return { did: 'PATCH', length: topic.length };
  }

  @Post('api/v1/open')
  @Public()
  open(@Parameters() { topic = '' }: FormDto) {
    return { length: topic.length };
  }

  @Post('api/json')
  json(@SentBody() body: RawBody) {
    return { body: body.json() };
  }

  @Post('api/open')
  @Public()
  openJson(@SentBody() body: RawBody) {
    return { isList: Array.isArray(body.json()) };
  }

  @Post('api/v1/file')
  async file(@Upload() file: UploadedFile) {
    return { content: await textOf(file.stream(MIB)) };
  }

  @Patch('api/v1/piece')
  async piece(@SentPiece() piece: StreamedBody) {
    let content = '';
    let pieces = 0;
    for await (const chunk of piece.bytes(new AbortController().signal)) {
      content += chunk.toString();
      pieces++;
    }
    return { content, pieces };
  }

  @Get('api/v1/ping')
  ping() {
    return;
  }
}

let http: HttpApp;

beforeAll(async () => {
  http = await createHttpApp([BodiesController]);
  await http.app.listen(0, '127.0.0.1');
});

afterAll(() => http.app.close());

type Headers = Readonly<Record<string, string | number>>;

/** One connection of a client that writes bytes as it likes. */
class Wire {
  readonly socket: Socket;
  private received = '';

  constructor() {
    const { port } = http.app.getHttpServer().address() as AddressInfo;
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.on('data', (bytes) => (this.received += bytes.toString())).on('error', () => undefined);
  }

  head(method: string, path: string, headers: Headers): this {
    const lines = Object.entries({ host: 'localhost', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    this.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    return this;
  }

  write(bytes: string | Buffer): this {
    this.socket.write(bytes);
    return this;
  }

  /** The first answers, once so many are complete. */
  async answers(count = 1): Promise<Answer[]> {
    for (;;) {
      const found = answersIn(this.received);
      if (found.length >= count) return found;
      await once(this.socket, 'data');
    }
  }

  async answer(): Promise<Answer> {
    return (await this.answers())[0]!;
  }
}

interface Answer {
  readonly status: number;
  readonly closes: boolean;
  readonly body: Record<string, unknown>;
}

function answersIn(received: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = received; ;) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const head = rest.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const text = Buffer.from(rest.slice(end)).subarray(0, length).toString();
    if (end < 4 || Buffer.byteLength(text) < length) return answers;
    rest = rest.slice(end + text.length);
    const status = Number(head.split(' ')[1]);
    if (status === 100) continue;
    const body = JSON.parse(text) as Record<string, unknown>;
    answers.push({ status, closes: /\r\nconnection: close/i.test(head), body });
  }
}

const chunk = (bytes: string | Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);
const LAST_CHUNK = '0\r\n\r\n';
const CHUNKED = { 'transfer-encoding': 'chunked' };

/** The same bytes in chunks of this size. */
function chunked(bytes: Buffer, size: number): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(chunk(bytes.subarray(at, at + size)));
  return Buffer.concat(chunks);
}

describe('a stranger', () => {
  it.each([
    ['a form', 'POST', '/api/v1/form', FORM],
    ['a form with parts', 'POST', '/api/v1/form', multipartType],
    ['a form that may ask for another method', 'POST', '/api/v1/changed', FORM],
    ['a form with parts that may', 'POST', '/api/v1/changed', multipartType],
    ['JSON', 'POST', '/api/json', JSON_TYPE],
    ['text', 'POST', '/api/v1/form', 'text/plain'],
    ['a file', 'POST', '/api/v1/file', multipartType],
    ['a piece of a file', 'PATCH', '/api/v1/piece', PIECE_TYPE],
  ])('who begins to send %s is refused before any of it is there', async (_what, method, path, type) => {
    for (const length of [CHUNKED, { 'content-length': 1000 }, { 'content-length': 10 * MIB }]) {
      const wire = new Wire().head(method, path, { 'content-type': type, ...length });
      expect((await wire.answer()).status).toBe(401);
      wire.socket.destroy();
    }
  });

  it.each([
    ['form', '/api/v1/open', FORM, 'topic='],
    ['JSON', '/api/open', JSON_TYPE, '['],
    ['text', '/api/v1/open', 'text/plain', 'a'],
    [
      'form with parts',
      '/api/v1/open',
      multipartType,
      '--x-test-boundary\r\nContent-Disposition: form-data; name="topic"\r\n\r\n',
    ],
  ])('may send 64 KiB of %s where all may call, and no more', async (_what, path, type, start) => {
    const headers = { 'content-type': type };
    const known = new Wire().head('POST', path, { ...headers, 'content-length': 64 * KIB + 1 });
    expect((await known.answer()).status).toBe(413);
    const unknown = new Wire().head('POST', path, { ...headers, ...CHUNKED }).write(chunk(start));
    for (let sent = 0; sent <= 64; sent++) unknown.write(chunk(' '.repeat(KIB)));
    expect((await unknown.answer()).status).toBe(413);
    const fits = new Wire().head('POST', path, { ...headers, ...CHUNKED });
    fits
      .write(chunk(start))
      .write(chunk(' '.repeat(60 * KIB)))
      .write(LAST_CHUNK);
    expect((await fits.answer()).status).not.toBe(413);
    for (const { socket } of [known, unknown, fits]) socket.destroy();
  });

  it('who is refused has little more received where a body is shredded', async () => {
    const received = async (bytes: Buffer) => {
      const connected = once(http.app.getHttpServer(), 'connection') as Promise<[Socket]>;
      const wire = new Wire().head('POST', '/api/json', { 'content-type': JSON_TYPE, ...CHUNKED });
      const [socket] = await connected;
      expect((await wire.answer()).status).toBe(401);
      wire.write(bytes);
      await once(socket, 'close');
      wire.socket.destroy();
      return socket.bytesRead;
    };
    expect(await received(chunked(Buffer.alloc(3 * MIB, '1'), 1))).toBeLessThan(MIB);
    expect(await received(chunked(Buffer.alloc(18 * MIB, '1'), 64 * KIB))).toBeGreaterThan(8 * MIB);
  });

  it('who is refused has nothing kept of what is still received', async () => {
    const bytes = Buffer.alloc(8 * MIB, '1');
    const connected = once(http.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const wire = new Wire().head('POST', '/api/json', {
      'content-type': JSON_TYPE,
      'content-length': 10 * MIB,
    });
    const [socket] = await connected;
    expect((await wire.answer()).status).toBe(401);
    const { arrayBuffers: before } = process.memoryUsage();
    wire.write(bytes);
    while (socket.bytesRead < bytes.length) await turn();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MIB);
    wire.socket.destroy();
  });

  it.each([
    ['the connection that brought it', true],
    ['the next connection', false],
  ])('who shreds a body leaves %s as it was', async (_which, isSame) => {
    const length = 1_500;
    const connected = once(http.app.getHttpServer(), 'connection') as Promise<[Socket]>;
    const wire = new Wire().head('POST', '/api/open', {
      'content-type': JSON_TYPE,
      'content-length': length,
    });
    wire.socket.setNoDelay();
    // Each byte arrives by itself: the server runs in this process, and reads before the next one is sent.
    for (let sent = 0; sent < (isSame ? length : length - 1); sent++) {
      wire.write('1');
      await turn();
      await turn();
    }
    expect((await wire.answer()).status).toBe(413);
    if (!isSame) {
      const [socket] = await connected;
      wire.socket.destroy();
      // From then on, others get the parser of the connection.
      await once(socket, 'close');
    }
    const next = isSame ? wire : new Wire();
    next.head('POST', '/api/open', { 'content-type': JSON_TYPE, 'content-length': 4 }).write('[{}]');
    const answers = await next.answers(isSame ? 2 : 1);
    expect(answers.at(-1)).toMatchObject({ status: 201, body: { isList: true } });
    next.socket.destroy();
  });

  it('may send few values', async () => {
    const send = async (path: string, type: string, body: string) => {
      const wire = new Wire().head('POST', path, { 'content-type': type, 'content-length': body.length });
      const { status } = await wire.write(body).answer();
      wire.socket.destroy();
      return status;
    };
    expect(await send('/api/open', JSON_TYPE, `[${'{},'.repeat(1_200)}0]`)).toBe(201);
    expect(await send('/api/open', JSON_TYPE, `[${'{},'.repeat(1_300)}0]`)).toBe(400);
    expect(await send('/api/v1/open', FORM, 'a=1&'.repeat(39))).toBe(200);
    expect(await send('/api/v1/open', FORM, 'a=1&'.repeat(41))).toBe(400);
  });
});

describe('a body in pieces', () => {
  it('is joined, so that it takes the memory of what it holds', async () => {
    const content = Array.from({ length: 900 }, (_, at) => String(at % 10)).join('');
    const wire = new Wire().head('PATCH', '/api/v1/piece', {
      ...MEMBER,
      'content-type': PIECE_TYPE,
      ...CHUNKED,
    });
    wire.write(Buffer.concat([chunked(Buffer.from(content), 1), Buffer.from(LAST_CHUNK)]));
    const { body } = await wire.answer();
    wire.socket.destroy();
    expect(body.content).toBe(content);
    expect(body.pieces).toBeLessThan(100);
  });

  it.each([
    ['a form', 'POST', '/api/v1/form', FORM, MEMBER],
    ['a form of a stranger', 'POST', '/api/v1/open', FORM, {}],
    ['a form with parts', 'POST', '/api/v1/form', multipartType, MEMBER],
    ['JSON', 'POST', '/api/json', JSON_TYPE, MEMBER],
    ['a file', 'POST', '/api/v1/file', multipartType, MEMBER],
  ])('of a byte each is refused: %s', async (_what, method, path, type, headers) => {
    const isFile = path.endsWith('file');
    const start = multipart([
      { name: isFile ? 'file' : 'topic', value: '', ...(isFile && { fileName: 'a' }) },
    ]);
    const wire = new Wire().head(method, path, { ...headers, 'content-type': type, ...CHUNKED });
    if (type === multipartType) wire.write(chunk(start.subarray(0, -'\r\n--x-test-boundary--\r\n'.length)));
    // Its end is never sent.
    wire.write(chunked(Buffer.alloc(3_000, '1'), 1));
    await expect(wire.answer()).resolves.toMatchObject({ status: 413, closes: true });
    wire.socket.destroy();
  });

  it.each([
    ['a form', '/api/v1/form', {}],
    ['a file', '/api/v1/file', { fileName: 'a' }],
  ])('is refused where something of it is left out that nobody would miss: %s', async (_what, path, kind) => {
    const headers = { ...MEMBER, 'content-type': multipartType, ...CHUNKED };
    const form = multipart([{ name: 'topic', value: '', ...kind }]);
    const wire = new Wire().head('POST', path, headers).write(chunk(form));
    wire.write(chunked(Buffer.alloc(3_000, '1'), 1)).write(LAST_CHUNK);
    expect((await wire.answer()).status).toBe(413);
    wire.socket.destroy();
  });

  it('ends a piece of a file, of which the client learns how much was taken', async () => {
    const wire = new Wire().head('PATCH', '/api/v1/piece', {
      ...MEMBER,
      'content-type': PIECE_TYPE,
      ...CHUNKED,
    });
    wire.write(chunked(Buffer.alloc(3_000, '1'), 1));
    const { status, closes } = await wire.answer();
    wire.socket.destroy();
    expect({ status, closes }).toEqual({ status: 200, closes: true });
  });

  it('may be as small as 64 bytes, however many there are', async () => {
    const wire = new Wire().head('POST', '/api/v1/form', { ...MEMBER, 'content-type': FORM, ...CHUNKED });
    wire.write(chunked(Buffer.from(`topic=${'a'.repeat(MIB - 10)}`), 64)).write(LAST_CHUNK);
    await expect(wire.answer()).resolves.toMatchObject({ status: 200, body: { length: MIB - 10 } });
    wire.socket.destroy();
  });
});

describe('a form that is dear to read', () => {
  const lines = `--x-test-boundary\r\n${'Content-Disposition: a;name=method\r\n'.repeat(1_900)}`;

  it.each<[string, string, string, Buffer, number, number]>([
    [
      'lines that look like the field of a method',
      '/api/v1/changed',
      multipartType,
      Buffer.from(lines),
      256,
      400,
    ],
    ['4 MB of spaces', '/api/v1/form', FORM, Buffer.alloc(4_000_000, '+'), 65_536, 400],
    ['3 MB of spaces', '/api/v1/form', FORM, Buffer.from(`topic=${'+'.repeat(3_000_000)}`), 65_536, 400],
    ['1 MB of spaces', '/api/v1/form', FORM, Buffer.from(`topic=${'+'.repeat(1_000_000)}`), 65_536, 200],
    ['4 MB of methods', '/api/v1/form', FORM, Buffer.from('&method=PUT'.repeat(363_000)), 65_536, 400],
    ['4 MB of what is no method', '/api/v1/form', FORM, Buffer.from('xmethod='.repeat(500_000)), 65_536, 400],
    ['4 MB of escapes', '/api/v1/form', FORM, Buffer.from(`topic=${'%41'.repeat(1_300_000)}`), 65_536, 400],
  ])('is refused or read soon: %s', async (_what, path, type, bytes, size, status) => {
    const body = Buffer.concat([chunked(bytes, size), Buffer.from(LAST_CHUNK)]);
    const before = process.cpuUsage();
    const wire = new Wire().head('POST', path, { ...MEMBER, 'content-type': type, ...CHUNKED }).write(body);
    expect((await wire.answer()).status).toBe(status);
    const { user, system } = process.cpuUsage(before);
    wire.socket.destroy();
    expect((user + system) / 1e6).toBeLessThan(2); // the first one took fifteen
  });
});

describe('a connection whose body was refused', () => {
  const PING = `GET /api/v1/ping HTTP/1.1\r\nhost: localhost\r\nx-test-actor: ${MEMBER['x-test-actor']}\r\n\r\n`;

  it.each([
    ['whose body is short', 1000],
    ['whose body is as long as a connection is kept for', 64 * KIB],
  ])('goes on with the next request after one %s', async (_what, length) => {
    const wire = new Wire().head('POST', '/api/v1/form', { 'content-type': FORM, 'content-length': length });
    await wire.answer();
    wire.write('a'.repeat(length)).write(PING);
    const [refusal, pong] = await wire.answers(2);
    wire.socket.destroy();
    expect([refusal?.status, refusal?.closes, pong?.status]).toEqual([401, false, 200]);
  });

  it.each([
    ['a longer one', { 'content-length': 64 * KIB + 1 }],
    ['one of unknown length', CHUNKED],
  ])('is closed after %s, and nothing on it is taken for a request', async (_what, length) => {
    const wire = new Wire().head('POST', '/api/v1/form', { 'content-type': FORM, ...length });
    const { status, closes } = await wire.answer();
    expect({ status, closes }).toEqual({ status: 401, closes: true });
    const closed = once(wire.socket, 'close');
    wire.socket.end(PING + PING);
    await closed;
    expect(await wire.answers()).toHaveLength(1);
  });

  it.each([
    ['in one piece', '/api/v1/form', {}, { 'content-length': 1024 * MIB }, Buffer.alloc(MIB), 401, 8],
    ['in chunks of a byte', '/api/v1/form', {}, CHUNKED, Buffer.from('1\r\na\r\n'.repeat(175_000)), 401, 0.5],
    [
      'so, and is read at first',
      '/api/v1/form',
      MEMBER,
      CHUNKED,
      Buffer.from('1\r\na\r\n'.repeat(175_000)),
      413,
      8,
    ],
  ])(
    'takes what a client sends %s that reads no answer before, and cuts it off at last',
    async (...given) => {
      const [, path, headers, length, piece, status, atLeast] = given;
      const wire = new Wire().head('POST', path, { ...headers, 'content-type': FORM, ...length });
      for (let sent = 0; sent < 1024 && !wire.socket.destroyed; sent++) {
        await new Promise((resolve) => wire.socket.write(piece, resolve));
      }
      expect((await wire.answer()).status).toBe(status);
      expect(wire.socket.destroyed).toBe(true);
      expect(wire.socket.bytesWritten).toBeGreaterThan(atLeast * MIB);
      expect(wire.socket.bytesWritten).toBeLessThan(64 * MIB);
    },
  );

  it('is answered where the client waits to be told to go on', async () => {
    const headers = { 'content-type': FORM, 'content-length': 10 * MIB, expect: '100-continue' };
    const wire = new Wire().head('POST', '/api/v1/form', headers);
    const last = await wire.answer();
    wire.socket.destroy();
    expect(last).toMatchObject({ status: 401, closes: true });
  });
});

describe('whatever is sent, in whatever pieces', () => {
  const TOPIC = 'läst\r\n--x-test-bound 👍';
  const parts: Part[] = [
    { name: 'topic', value: TOPIC },
    { name: 'other', value: '' },
    { name: 'method', value: 'PATCH' },
  ];
  const file: Part[] = [{ name: 'file', value: 'a\r\n--x\r\n'.repeat(50), fileName: 'a.txt' }];

  /** Sends a body in random pieces, some of them chunks and some of them writes. */
  async function sendTorn(random: Random, path: string, type: string, body: Buffer) {
    const isChunked = random.chance(50);
    const length = isChunked ? CHUNKED : { 'content-length': body.length };
    const wire = new Wire().head('POST', path, { ...MEMBER, 'content-type': type, ...length });
    wire.socket.setNoDelay(true);
    for (let at = 0; at < body.length;) {
      const end = Math.min(body.length, at + 1 + random.below(random.chance(33) ? 2 : 60));
      const piece = body.subarray(at, end);
      wire.write(isChunked ? chunk(piece) : piece);
      if (random.chance(25)) await new Promise(setImmediate);
      at = end;
    }
    if (isChunked) wire.write(LAST_CHUNK);
    const answer = await wire.answer();
    wire.socket.destroy();
    return answer;
  }

  it.each<[string, string, Buffer, Record<string, unknown>]>([
    ['/api/v1/form', FORM, Buffer.from('topic=l%C3%A4st+%F0%9F%91%8D&a=1'), { length: 7 }],
    ['/api/v1/changed', FORM, Buffer.from('topic=a+b&method=PATCH'), { did: 'PATCH', length: 3 }],
    ['/api/v1/changed', multipartType, multipart(parts), { did: 'PATCH', length: TOPIC.length }],
    ['/api/v1/form', multipartType, multipart(parts), { length: TOPIC.length }],
    ['/api/v1/file', multipartType, multipart(file), { content: 'a\r\n--x\r\n'.repeat(50) }],
    ['/api/json', JSON_TYPE, Buffer.from('{"a":["👍",1]}'), { body: { a: ['👍', 1] } }],
  ])('%s reads the same %s', async (path, type, body, expected) => {
    const random = new Random(20261124);
    for (let round = 0; round < 20; round++) {
      expect((await sendTorn(random, path, type, body)).body).toMatchObject(expected);
    }
  });

  it('never fails for broken requests, nor for clients that leave', async () => {
    const random = new Random(7);
    const bodies = [
      multipart(parts),
      multipart(file),
      Buffer.from('topic=%zz&method=PATCH&=&&'),
      Buffer.from('{"a":['),
    ];
    const paths = ['form', 'changed', 'open', 'file', 'piece', '../json'];
    for (let round = 0; round < 150; round++) {
      const whole = Buffer.from(random.of(bodies));
      for (let hit = random.below(4); hit > 0; hit--) whole[random.below(whole.length)] = random.below(256);
      const body = whole.subarray(0, 1 + random.below(whole.length));
      const lie = random.of([0, 0, 0, 5]);
      const wire = new Wire().head(random.of(['POST', 'PATCH']), `/api/v1/${random.of(paths)}`, {
        ...(random.chance(33) ? {} : MEMBER),
        'content-type': random.of([
          FORM,
          multipartType,
          JSON_TYPE,
          PIECE_TYPE,
          'multipart/form-data',
          'text/plain',
        ]),
        'content-length': body.length + lie,
      });
      wire.write(body);
      if (lie > 0 || random.chance(25)) {
        await new Promise(setImmediate);
        wire.socket.resetAndDestroy();
      } else {
        expect((await wire.answer()).status).toBeLessThan(500);
        wire.socket.destroy();
      }
    }
    const wire = new Wire().head('GET', '/api/v1/ping', MEMBER);
    expect((await wire.answer()).status).toBe(200);
    wire.socket.destroy();
  });
});
