import { Controller, Post } from '@nestjs/common';
import { AdministratorOnly } from '../../../src/platform/http/decorators';
import { json } from '../../../src/platform/http/parameters/json';
import { Parameter } from '../../../src/platform/http/parameters/parameter.decorator';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator';
import { text } from '../../../src/platform/http/parameters/text';
import { RawBody, SentBody } from '../../../src/platform/http/body/raw-body';
import { DEFAULT_REQUEST_LIMITS } from '../../../src/platform/http/body/request-limits';
import { as, createHttpApp, type HttpApp } from './http-app';
import { multipart, multipartType, type Part } from './multipart';

class FormDto {
  @Parameter(text(), { optional: true }) topic?: string;
  @Parameter(json.array(json.integer()), { optional: true }) ids?: number[];
}

@Controller()
class BodiesController {
  readonly called: string[] = [];

  @Post('api/v1/form')
  form(@Parameters() input: FormDto) {
    this.called.push('form');
    return { input };
  }

  @Post('api/v1/undeclared')
  undeclared() {
    return;
  }

  @Post('api/v1/admin')
  @AdministratorOnly()
  admin() {
    this.called.push('admin');
  }

  @Post('api/json')
  json(@SentBody() body: RawBody) {
    return { body: body.json() };
  }
}

let http: HttpApp;

beforeAll(async () => {
  http = await createHttpApp([BodiesController], {
    limits: { ...DEFAULT_REQUEST_LIMITS, bodyBytes: 20_000, parameters: 5, parameterBytes: 10_000 },
  });
});

afterAll(() => http.app.close());

async function post(url: string, type: string, payload: string | Buffer, headers = as()) {
  const answer = await http.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': type },
    payload,
  });
  return { status: answer.statusCode, body: answer.json() };
}

const postParts = (parts: readonly Part[]) => post('/api/v1/form', multipartType, multipart(parts));

function refused(status: number, msg: string, code: string) {
  return { status, body: { result: 'error', msg, code } };
}

describe('multipart forms', () => {
  it('are read like any form', async () => {
    const answer = await post(
      '/api/v1/form?topic=query&other=1',
      multipartType,
      multipart([
        { name: 'topic', value: 'first' },
        { name: 'ids', value: '[1,2]', type: 'application/json' },
        { name: 'extra', value: '' },
        { name: 'topic', value: 'läst 👍', type: 'text/plain; charset=iso-8859-1' },
      ]),
    );
    expect(answer).toEqual({
      status: 200,
      body: {
        result: 'success',
        msg: '',
        input: { topic: 'läst 👍', ids: [1, 2] },
        ignored_parameters_unsupported: ['extra', 'other'],
      },
    });
  });

  it('are read for endpoints that declare nothing', async () => {
    const answer = await post('/api/v1/undeclared', multipartType, multipart([{ name: 'a', value: 'b' }]));
    expect(answer.body.ignored_parameters_unsupported).toEqual(['a']);
  });

  it('may be empty', async () => {
    expect((await postParts([])).status).toBe(200);
    expect((await post('/api/v1/form', multipartType, '')).status).toBe(200);
  });

  it.each<[string, Part[], ReturnType<typeof refused>]>([
    [
      'a file',
      [{ name: 'f', value: 'abc', fileName: 'a.txt' }],
      refused(415, 'This endpoint does not accept files', 'UNSUPPORTED_MEDIA_TYPE'),
    ],
    [
      'bytes that are no UTF-8',
      [{ name: 'topic', value: Buffer.from([0x61, 0xff]) }],
      refused(400, 'topic is not valid UTF-8', 'BAD_REQUEST'),
    ],
    [
      'a null character',
      [{ name: 'topic', value: 'a\0' }],
      refused(400, 'topic must not contain null characters', 'BAD_REQUEST'),
    ],
    [
      'a field that is too long',
      [{ name: 'topic', value: 'a'.repeat(10_001) }],
      refused(400, 'topic is too long (limit: 10000 bytes)', 'BAD_REQUEST'),
    ],
    [
      'too many fields',
      Array.from({ length: 6 }, (_, i) => ({ name: `p${i}`, value: '' })),
      refused(400, 'Too many parameters (limit: 5)', 'BAD_REQUEST'),
    ],
    [
      'too much of everything',
      Array.from({ length: 3 }, (_, i) => ({ name: `p${i}`, value: 'a'.repeat(9_000) })),
      refused(413, 'Request body is too large', 'REQUEST_TOO_LARGE'),
    ],
    [
      'a forbidden name',
      [{ name: '__proto__', value: '1' }],
      refused(400, 'Invalid parameter name "__proto__"', 'BAD_REQUEST'),
    ],
  ])('with %s are refused', async (_what, parts, answer) => {
    await expect(postParts(parts)).resolves.toEqual(answer);
  });

  it.each([
    ['without a boundary', 'multipart/form-data'],
    ['with another boundary', 'multipart/form-data; boundary=other'],
  ])('%s are malformed', async (_what, type) => {
    await expect(post('/api/v1/form', type, multipart([{ name: 'topic', value: 'a' }]))).resolves.toEqual(
      refused(400, 'Malformed multipart body', 'BAD_REQUEST'),
    );
  });

  it('cut off anywhere are refused, never a failure of ours', async () => {
    const whole = multipart([
      { name: 'topic', value: 'a' },
      { name: 'other', value: 'b', type: 'text/plain' },
    ]);
    const end = whole.length - '\r\n'.length; // what follows the closing boundary does not matter
    for (let length = 1; length < end; length++) {
      const { status, body } = await post('/api/v1/form', multipartType, whole.subarray(0, length));
      expect({ length, status, msg: body.msg }).toEqual({
        length,
        status: 400,
        msg: 'Malformed multipart body',
      });
    }
  });

  it('of garbage are refused', async () => {
    for (const garbage of ['x', '--x-test-boundary', '\r\n'.repeat(50), '--x-test-boundary\r\n\r\n\r\n']) {
      expect((await post('/api/v1/form', multipartType, garbage)).status).toBe(400);
    }
  });

  it('are read after access is decided, and before the handler runs', async () => {
    const controller = http.app.get(BodiesController);
    controller.called.length = 0;
    const file = multipart([{ name: 'f', value: 'abc', fileName: 'a.txt' }]);
    expect((await post('/api/v1/admin', multipartType, file)).body.msg).toBe(
      'Must be an organization administrator',
    );
    expect((await post('/api/v1/form', multipartType, file, {})).status).toBe(401);
    expect((await post('/api/v1/form', multipartType, file)).status).toBe(415);
    expect(controller.called).toEqual([]);
  });
});

describe('JSON bodies', () => {
  it('are read by the companion interface', async () => {
    await expect(post('/api/json', 'application/json', '{"a":[1]}')).resolves.toEqual({
      status: 201,
      body: { body: { a: [1] } },
    });
  });

  it.each([
    ['{"a', 'is not valid JSON'],
    ['{"__proto__":{}}', 'contains a forbidden key'],
    ['{"constructor":{"prototype":{}}}', 'contains a forbidden key'],
    ['['.repeat(33), 'is nested too deeply (limit: 32 levels)'],
  ])('%s is refused', async (payload, problem) => {
    await expect(post('/api/json', 'application/json', payload)).resolves.toEqual({
      status: 400,
      body: { detail: `Request body ${problem}` },
    });
  });
});

describe('other bodies', () => {
  it('of a broken content type are refused', async () => {
    const { status, body } = await post('/api/v1/form', 'no type at all', 'topic=a');
    expect({ status, code: body.code }).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it('are limited too', async () => {
    expect((await post('/api/v1/form', 'text/plain', 'a'.repeat(20_001))).status).toBe(413);
    expect((await post('/api/v1/form', 'text/plain', 'a'.repeat(20_000))).status).toBe(200);
  });
});
