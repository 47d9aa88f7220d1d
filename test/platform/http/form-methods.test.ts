import { buffer } from 'node:stream/consumers';
import { type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { AdministratorOnly } from '../../../src/platform/http/decorators';
import { Parameter, PathParameter } from '../../../src/platform/http/parameters/parameter.decorator';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator';
import { Upload, type UploadedFile } from '../../../src/platform/http/body/uploaded-file';
import { text } from '../../../src/platform/http/parameters/text';
import { as, createHttpApp, type HttpApp } from './http-app';
import { multipart, multipartType, type Part } from './multipart';

const MIB = 1024 * 1024;
/** What came of each upload, in bytes. */
const pictures: (number | null)[] = [];

class ThingDto {
  @PathParameter() id!: number;
  @Parameter(text(), { optional: true }) topic?: string;
}

class TopicDto {
  @Parameter(text()) topic!: string;
}

@Controller()
class ThingsController {
  @Get('api/v1/things/:id')
  show() {
    return { did: 'GET' };
  }

  @Patch('api/v1/things/:id')
  change(@Parameters() input: ThingDto) {
    return { did: 'PATCH', input };
  }

  @Delete('api/v1/things/:id')
  @AdministratorOnly()
  remove(@Parameters() input: ThingDto) {
    return { did: 'DELETE', input };
  }

  @Patch('api/v1/pictures/:id')
  async changePicture(
    @Upload({ missing: null }) picture: UploadedFile | null,
    @Parameters() input: ThingDto,
  ) {
    const bytes = picture && (await buffer(picture.stream(MIB))).length;
    pictures.push(bytes);
    return { did: 'PATCH', input, bytes };
  }

  @Delete('api/v1/pictures/:id')
  @AdministratorOnly()
  removePicture(@Parameters() input: ThingDto) {
    return { did: 'DELETE', input };
  }

  @Post('api/v1/things')
  make(@Parameters() input: TopicDto) {
    return { did: 'POST', input };
  }

  @Put('api/v1/things')
  replace() {
    return { did: 'PUT' };
  }

  @Post('api/notes')
  note() {
    return { did: 'POST' };
  }

  @Patch('api/notes')
  changeNote() {
    return { did: 'PATCH' };
  }
}

let http: HttpApp;
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  const logger = { stream: { write: (line: string) => void lines.push(JSON.parse(line)) } };
  http = await createHttpApp([ThingsController], { rateLimitPerMinute: 1000, fastify: { logger } });
});

afterAll(() => http.app.close());

const FORM = 'application/x-www-form-urlencoded';

async function post(path: string, payload: string, headers = as(), type = `${FORM}; charset=UTF-8`) {
  const all = { ...headers, 'content-type': type };
  const answer = await http.app.inject({ method: 'POST', url: `/api/${path}`, headers: all, payload });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

it.each([
  ['where nothing else is posted', 'v1/things/5', 'method=PATCH&topic=a', 'PATCH', { id: 5, topic: 'a' }],
  ['at the end', 'v1/things/5', 'topic=a&method=PATCH', 'PATCH', { id: 5, topic: 'a' }],
  ['of several the last', 'v1/things/5', 'method=PUT&method=PATCH', 'PATCH', { id: 5 }],
  ['where other things are posted', 'v1/things', 'method=PUT', 'PUT', undefined],
])('a form names its method, %s', async (_where, path, payload, did, input) => {
  const { status, body } = await post(path, payload);
  expect({ status, body }).toEqual({
    status: 200,
    body: { result: 'success', msg: '', did, ...(input && { input }) },
  });
});

it('has the rights and the parameters of the route that it reaches', async () => {
  expect((await post('v1/things/5', 'method=DELETE')).body.msg).toBe('Must be an organization administrator');
  expect((await post('v1/things/5', 'method=DELETE', {})).status).toBe(401);
  const { body } = await post('v1/things/5', 'method=DELETE&topic=a&other=1', as({ role: 200 }));
  expect(body).toEqual({
    result: 'success',
    msg: '',
    did: 'DELETE',
    input: { id: 5, topic: 'a' },
    ignored_parameters_unsupported: ['other'],
  });
});

it('is one request: counted, logged and answered once', async () => {
  const before = await post('v1/things/5', 'method=PATCH');
  lines.length = 0;
  const { headers } = await post('v1/things/5', 'method=PATCH');
  const left = (each: typeof headers) => Number(each['x-ratelimit-remaining']);
  expect(left(before.headers) - left(headers)).toBe(1);
  await new Promise(setImmediate);
  expect(lines.filter(({ msg }) => msg === 'request completed')).toHaveLength(1);
});

it.each([
  ['another value', 'v1/things', 'method=patch&topic=a', FORM],
  ['no method', 'v1/things', 'method=GET&topic=a', FORM],
  ['a similar name', 'v1/things', 'xmethod=PUT&topic=a', FORM],
  ['the companion interface', 'notes', 'method=PATCH', FORM],
])('%s changes nothing', async (_what, path, payload, type) => {
  expect((await post(path, payload, as(), type)).body.did).toBe('POST');
});

it('is named by forms only', async () => {
  const answer = await post('v1/things?method=PUT', 'topic=a');
  expect(answer.body).toMatchObject({ did: 'POST', ignored_parameters_unsupported: ['method'] });
  expect((await post('v1/things', '{"method":"PUT"}', as(), 'application/json')).status).toBe(400);
});

it.each(['', 'topic=a', 'method=PUT', 'method=OPTIONS'])(
  '%j is refused where nothing is posted',
  async (payload) => {
    const { status, headers, body } = await post('v1/things/5', payload);
    const allowed = ['DELETE', 'GET', 'HEAD', 'PATCH'];
    expect({ status, allow: headers.allow, body }).toEqual({
      status: 405,
      allow: allowed.join(', '),
      body: { result: 'error', msg: 'Method Not Allowed', allowed_methods: allowed },
    });
  },
);

describe('a multipart form', () => {
  const method = (value: string): Part => ({ name: 'method', value });
  const topic: Part = { name: 'topic', value: 'a' };
  const picture = (value: string | Buffer): Part => ({ name: 'file-0', fileName: 'a.png', value });

  async function send(path: string, parts: readonly Part[] | Buffer, headers = as()) {
    const answer = await http.app.inject({
      method: 'POST',
      url: `/api/v1/${path}`,
      headers: { ...headers, 'content-type': multipartType },
      payload: Buffer.isBuffer(parts) ? parts : multipart(parts),
    });
    return { status: answer.statusCode, body: answer.json() };
  }

  const refused = (...allowed: string[]) => ({
    status: 405,
    body: { result: 'error', msg: 'Method Not Allowed', allowed_methods: allowed },
  });

  it.each<[string, Part[], number | null]>([
    ['first', [method('PATCH'), topic], null],
    ['last', [topic, method('PATCH')], null],
    ['with a type of its own', [{ ...method('PATCH'), type: 'text/plain' }, topic], null],
    ['before a file', [topic, method('PATCH'), picture(Buffer.alloc(MIB))], MIB],
    ['after a small file', [topic, picture('abc'), method('PATCH')], 3],
    ['after a large file', [topic, picture(Buffer.alloc(MIB)), method('PATCH')], MIB],
  ])('names its method %s', async (_where, parts, bytes) => {
    expect(await send('pictures/5', parts)).toEqual({
      status: 200,
      body: { result: 'success', msg: '', did: 'PATCH', input: { id: 5, topic: 'a' }, bytes },
    });
  });

  it('has the rights and the parameters of the route that it reaches', async () => {
    const remove = [method('DELETE'), topic, { name: 'other', value: '1' }];
    expect((await send('pictures/5', remove)).body.msg).toBe('Must be an organization administrator');
    expect((await send('pictures/5', remove, {})).status).toBe(401);
    expect((await send('pictures/5', [picture(Buffer.alloc(MIB)), method('PATCH')], {})).status).toBe(401);
    expect((await send('pictures/5', remove, as({ role: 200 }))).body).toEqual({
      result: 'success',
      msg: '',
      did: 'DELETE',
      input: { id: 5, topic: 'a' },
      ignored_parameters_unsupported: ['other'],
    });
    expect((await send('things/5', [picture('a'), method('PATCH')])).body.msg).toBe(
      'This endpoint does not accept files',
    );
  });

  it.each<[string, Part[]]>([
    ['nothing', [topic]],
    ['nothing, and has a file', [picture('abc')]],
    ['nothing, and has a large file', [picture(Buffer.alloc(MIB))]],
    ['what nothing there takes', [method('PUT'), topic]],
    ['what no form may ask for', [method('GET')]],
    ['another method at its end', [picture(Buffer.alloc(MIB)), method('DELETE')]],
    ['two methods', [method('PATCH'), picture('abc'), method('DELETE')]],
    ['one in its file', [picture('; name="method"\r\n\r\nPATCH\r\n--')]],
  ])('is refused where it names %s', async (_what, parts) => {
    pictures.length = 0;
    expect(await send('pictures/5', parts, as({ role: 200 }))).toEqual(refused('DELETE', 'PATCH'));
    expect(pictures).toEqual([]);
  });

  it('is refused where there is no form in it, or half a one', async () => {
    expect(await send('pictures/5', Buffer.alloc(0))).toEqual(refused('DELETE', 'PATCH'));
    const whole = multipart([method('PATCH'), picture('abc')]);
    const { status, body } = await send('pictures/5', whole.subarray(0, -10));
    expect({ status, msg: body.msg }).toEqual({ status: 400, msg: 'Malformed multipart body' });
  });

  it('is posted where something is posted', async () => {
    expect((await send('things', [method('PUT'), topic])).body).toEqual({
      result: 'success',
      msg: '',
      did: 'POST',
      input: { topic: 'a' },
      ignored_parameters_unsupported: ['method'],
    });
  });

  it('may come in pieces', async () => {
    await http.app.listen(0, '127.0.0.1');
    const { port } = http.app.getHttpServer().address() as AddressInfo;
    const body = multipart([topic, picture(Buffer.alloc(MIB)), method('PATCH')]);
    const headers = { ...as(), 'content-type': multipartType };
    const call = request({ port, method: 'POST', path: '/api/v1/pictures/5', headers });
    for (const [start, end] of [
      [0, 30],
      [30, 70_000],
      [70_000, body.length - 40],
      [body.length - 40, body.length],
    ]) {
      call.write(body.subarray(start, end));
      await new Promise(setImmediate);
    }
    call.end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    expect(JSON.parse((await buffer(answer)).toString())).toMatchObject({ did: 'PATCH', bytes: MIB });
  });
});
