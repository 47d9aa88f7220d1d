import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Controller, Get, Post } from '@nestjs/common';
import { AdministratorOnly } from '../../../src/platform/http/decorators';
import { Upload, UploadedFile } from '../../../src/platform/http/body/uploaded-file';
import { json } from '../../../src/platform/http/parameters/json';
import { Parameter } from '../../../src/platform/http/parameters/parameter.decorator';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator';
import { as, createHttpApp, type HttpApp } from './http-app';
import { multipart, multipartType, type Part } from './multipart';

const MIB = 1024 * 1024;

class IconDto {
  @Parameter(json.boolean(), { default: false }) night!: boolean;
}

/** Keeps what it is given, and remembers whether it was thrown away. */
class Memory extends Writable {
  readonly chunks: Buffer[] = [];
  destroyedWith: Error | null | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.destroyedWith = error;
    done(error);
  }
}

let sink: Memory;

@Controller('api/v1')
class UploadsController {
  @Post('icon')
  async icon(@Upload() file: UploadedFile, @Parameters() { night }: IconDto) {
    sink = new Memory();
    const size = await file.saveTo(sink, { maxBytes: MIB });
    return { size, night, fileName: file.fileName, contentType: file.contentType };
  }

  @Post('logo')
  async logo(@Upload({ bufferedBytes: MIB }) file: UploadedFile, @Parameters() { night }: IconDto) {
    return { size: (await buffer(file.stream(MIB))).length, night };
  }

  @Post('avatar')
  @AdministratorOnly()
  async avatar(
    @Upload({
      missing: 'You must upload exactly one avatar.',
      several: 'You must upload exactly one avatar.',
    })
    file: UploadedFile,
  ) {
    return { text: (await buffer(file.stream(10))).toString() };
  }

  @Post('unread')
  unread(@Upload() _file: UploadedFile) {
    return { done: true };
  }

  @Get('ping')
  ping() {
    return;
  }
}

let http: HttpApp;

beforeAll(async () => {
  http = await createHttpApp([UploadsController]);
  await http.app.listen(0, '127.0.0.1');
});

afterAll(() => http.app.close());

async function upload(path: string, parts: readonly Part[] | Buffer, headers = as({ role: 200 })) {
  const answer = await http.app.inject({
    method: 'POST',
    url: `/api/v1/${path}`,
    headers: { ...headers, 'content-type': multipartType },
    payload: Buffer.isBuffer(parts) ? parts : multipart(parts),
  });
  return { status: answer.statusCode, body: answer.json() };
}

const file: Part = { name: 'file', value: 'content', fileName: 'a.txt', type: 'Text/Plain; charset=utf-8' };

it('streams a file to the sink, with the fields before it as parameters', async () => {
  const value = Buffer.alloc(MIB, 'x');
  const answer = await upload('icon?query=1', [
    { name: 'night', value: 'true' },
    { name: 'other', value: '1' },
    { ...file, value },
    { name: 'late', value: '1' },
  ]);
  expect(answer).toEqual({
    status: 200,
    body: {
      result: 'success',
      msg: '',
      size: MIB,
      night: true,
      fileName: 'a.txt',
      contentType: 'text/plain',
      ignored_parameters_unsupported: ['late', 'other', 'query'],
    },
  });
  expect(Buffer.concat(sink.chunks).equals(value)).toBe(true);
});

describe('a file that is buffered', () => {
  const night: Part = { name: 'night', value: 'true' };

  it.each([
    ['before its parameters', [{ ...file, value: Buffer.alloc(MIB) }, night]],
    ['behind them', [night, { ...file, value: Buffer.alloc(MIB) }]],
  ])('may stand %s', async (_where, parts) => {
    expect((await upload('logo', parts)).body).toMatchObject({ size: MIB, night: true });
  });

  it.each<[string, readonly Part[], string]>([
    [
      'is too large',
      [{ ...file, value: Buffer.alloc(3 * MIB) }, night],
      'Uploaded file is larger than the allowed limit of 1 MiB',
    ],
    ['is not alone', [file, night, file], 'You may only upload one file at a time'],
    ['is missing', [night], 'You must specify a file to upload'],
  ])('is refused where it %s', async (_what, parts, msg) => {
    await expect(upload('logo', parts)).resolves.toEqual({
      status: 400,
      body: { result: 'error', msg, code: 'BAD_REQUEST' },
    });
  });

  it('is refused where it is cut off', async () => {
    const whole = multipart([file, night]);
    for (let length = 1; length < whole.length - 2; length++) {
      expect((await upload('logo', whole.subarray(0, length))).body.msg).toBe('Malformed multipart body');
    }
  });
});

it.each([
  ['an empty file', '', 0],
  ['bytes of every value', Buffer.from(Array.from({ length: 256 }, (_, i) => i)), 256],
  ['something like a boundary', '\r\n--x-test-bound\r\n--\r\n', 22],
])('takes %s', async (_what, value, size) => {
  expect((await upload('icon', [{ ...file, value }])).body.size).toBe(size);
  expect(Buffer.concat(sink.chunks)).toEqual(Buffer.from(value));
});

it.each([
  ['läst 👍.png', 'läst 👍.png'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\\\Users\\\\a.doc', 'a.doc'],
  ['', ''],
])('knows the file name %j as %j', async (fileName, known) => {
  expect((await upload('icon', [{ ...file, fileName }])).body.fileName).toBe(known);
});

describe('refuses', () => {
  const night: Part = { name: 'night', value: 'true' };
  it.each<[string, readonly Part[], string]>([
    ['a form without a file', [night], 'You must specify a file to upload'],
    ['an empty form', [], 'You must specify a file to upload'],
    ['two files', [file, { ...file, name: 'second' }], 'You may only upload one file at a time'],
    [
      'a file that is too large',
      [{ ...file, value: Buffer.alloc(MIB + 1) }],
      'Uploaded file is larger than the allowed limit of 1 MiB',
    ],
    ['a declared parameter after the file', [file, night], 'night must be sent before the file'],
    ['bytes that are no UTF-8', [{ name: 'x', value: Buffer.from([0xff]) }, file], 'x is not valid UTF-8'],
    ['a forbidden name', [file, { ...night, name: '__proto__' }], 'Invalid parameter name "__proto__"'],
    ['a bad parameter', [{ name: 'night', value: 'x' }, file], 'night is not valid JSON'],
  ])('%s', async (_what, parts, msg) => {
    await expect(upload('icon', parts)).resolves.toEqual({
      status: 400,
      body: { result: 'error', msg, code: 'BAD_REQUEST' },
    });
  });

  it('a request that is no multipart form', async () => {
    const answer = await http.app.inject({ method: 'POST', url: '/api/v1/icon', headers: as() });
    expect(answer.json().msg).toBe('You must specify a file to upload');
  });

  it('with the words of the route', async () => {
    expect((await upload('avatar', [])).body.msg).toBe('You must upload exactly one avatar.');
    expect((await upload('avatar', [file, file])).body.msg).toBe('You must upload exactly one avatar.');
    expect((await upload('avatar', [file])).body.text).toBe('content');
  });

  it('a form cut off anywhere', async () => {
    const whole = multipart([night, file]);
    for (let length = 1; length < whole.length - 2; length++) {
      const { status, body } = await upload('icon', whole.subarray(0, length));
      expect({ length, status, msg: body.msg }).toEqual({
        length,
        status: 400,
        msg: 'Malformed multipart body',
      });
    }
  });
});

describe('on a real connection', () => {
  const agent = new Agent({ keepAlive: true });

  afterAll(() => agent.destroy());

  async function send(path: string, body: Buffer, headers: Record<string, string> = as({ role: 200 })) {
    const { port } = http.app.getHttpServer().address() as AddressInfo;
    const call = request({
      agent,
      port,
      method: 'POST',
      path: `/api/v1/${path}`,
      headers: { ...headers, 'content-type': multipartType, 'content-length': body.length },
    });
    call.end(body);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, body: JSON.parse((await buffer(answer)).toString()) };
  }

  const large = multipart([{ ...file, value: Buffer.alloc(8 * MIB) }]);

  it.each<[string, string, Record<string, string>, number, string]>([
    ['somebody unknown', 'avatar', {}, 401, 'Not logged in: API authentication or user session required'],
    ['somebody without the right', 'avatar', as(), 400, 'Must be an organization administrator'],
    ['whoever sends too much', 'icon', as(), 400, 'Uploaded file is larger than the allowed limit of 1 MiB'],
    ['whoever sends a file to an ordinary route', 'ping', as(), 405, 'Method Not Allowed'],
  ])('%s gets the answer although still sending', async (_who, path, headers, status, msg) => {
    const answer = await send(path, large, headers);
    expect({ status: answer.status, msg: answer.body.msg }).toEqual({ status, msg });
  });

  it('a file that the handler does not read is thrown away', async () => {
    expect((await send('unread', large)).body).toEqual({ result: 'success', msg: '', done: true });
  });

  it('a form cut off within the file destroys the sink', async () => {
    const answer = await send('icon', large.subarray(0, MIB / 2));
    expect(answer).toEqual({
      status: 400,
      body: { result: 'error', msg: 'Malformed multipart body', code: 'BAD_REQUEST' },
    });
    expect(sink.chunks).not.toHaveLength(0);
    expect(sink.destroyedWith).toEqual(expect.objectContaining({ message: 'Malformed multipart body' }));
  });

  it('a second file destroys the sink', async () => {
    const twice = multipart([{ ...file, value: Buffer.alloc(MIB) }, file]);
    expect((await send('icon', twice)).body.msg).toBe('You may only upload one file at a time');
    expect(sink.destroyedWith).toEqual(
      expect.objectContaining({ message: 'You may only upload one file at a time' }),
    );
  });

  it('a client that goes away destroys the sink', async () => {
    const { port } = http.app.getHttpServer().address() as AddressInfo;
    const call = request({
      agent,
      port,
      method: 'POST',
      path: '/api/v1/icon',
      headers: { ...as(), 'content-type': multipartType, 'content-length': large.length },
    });
    call.on('error', () => undefined);
    sink = new Memory();
    const before = sink;
    call.write(large.subarray(0, MIB / 2));
    while (sink === before || sink.chunks.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    call.destroy();
    await once(sink, 'close').catch(() => undefined);
    expect(sink.destroyed).toBe(true);
    expect(sink.destroyedWith).toBeInstanceOf(Error);
  });
});
