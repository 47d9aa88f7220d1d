import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { AdministratorOnly } from '../../../src/platform/http/decorators';
import { Parameter, PathParameter } from '../../../src/platform/http/parameters/parameter.decorator';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator';
import { text } from '../../../src/platform/http/parameters/text';
import { as, createHttpApp, type HttpApp } from './http-app';

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
