import { Writable } from 'node:stream';
import {
  ConflictException,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Patch,
  Post,
  StreamableFile,
} from '@nestjs/common';
import { ApiError } from '../../../src/platform/errors/api-error';
import { BadRequest } from '../../../src/platform/errors/shared.errors';
import { Public } from '../../../src/platform/http/decorators';
import { RawJson } from '../../../src/platform/http/envelope.interceptor';
import { as, createHttpApp, type HttpApp } from './http-app';

@Controller()
class AnswersController {
  @Get('api/v1/nothing')
  nothing() {
    return;
  }

  @Post('api/v1/keys')
  async keys() {
    return { a: 1, b: null, c: undefined, 'd"': 'ü' };
  }

  @Delete('api/v1/keys')
  @HttpCode(202)
  delete() {
    return {};
  }

  @Get('api/v1/raw')
  raw() {
    return {
      before: 1,
      raw: new RawJson('[{"b":1, "a":2}]'),
      gone: undefined,
      nested: [new RawJson('{"x":1}')],
    };
  }

  @Get('api/v1/file')
  file() {
    return new StreamableFile(Buffer.from('bytes'), { type: 'text/plain' });
  }

  @Get('api/v1/things/:id(\\d+)')
  getThing() {
    return;
  }

  @Patch('api/v1/things/:id(\\d+)')
  patchThing() {
    return;
  }

  @Get('api/v1/things/:name')
  getNamed() {
    return;
  }

  @Post('api/v1/things/all')
  postAll() {
    return;
  }

  @Get('api/companion')
  @Post('api/companion')
  companion() {
    return { plain: true };
  }

  @Get('elsewhere')
  @Public()
  elsewhere() {
    return 'text';
  }

  @Get('page')
  @Public()
  @Header('content-type', 'text/html; charset=utf-8')
  page() {
    return '<p>page</p>';
  }

  @Get('own-policy')
  @Public()
  @Header('content-type', 'text/html')
  @Header('content-security-policy', "default-src 'self'")
  ownPolicy() {
    return '<p>page</p>';
  }

  @Get(['api/v1/refuse', 'api/refuse', 'refuse'])
  @Public()
  refuse() {
    throw new ApiError('No.', {
      code: 'SOME_CODE',
      status: 418,
      data: { extra: [1] },
      headers: { 'x-more': 'yes' },
    });
  }

  @Get('api/v1/plain-refusal')
  plainRefusal() {
    throw new BadRequest('Just no.');
  }

  @Get('api/v1/framework')
  framework() {
    throw new ConflictException('Busy');
  }

  @Get(['api/v1/bug', 'api/bug', 'bug'])
  @Public()
  async bug() {
    throw new TypeError('secret detail');
  }
}

let http: HttpApp;
const log: string[] = [];

beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log.push(chunk.toString());
      done();
    },
  });
  http = await createHttpApp([AnswersController], { fastify: { logger: { level: 'error', stream } } });
});

afterAll(() => http.app.close());

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'OPTIONS' | 'HEAD', url: string) {
  return http.app.inject({ method, url, headers: as() });
}

describe('the envelope of a success [WIRE-1, WIRE-5a]', () => {
  it.each<['GET' | 'POST' | 'DELETE', string, string]>([
    ['GET', '/api/v1/nothing', '{"result":"success","msg":""}\n'],
    ['POST', '/api/v1/keys', '{"result":"success","msg":"","a":1,"b":null,"d\\"":"ü"}\n'],
    ['DELETE', '/api/v1/keys', '{"result":"success","msg":""}\n'],
    [
      'GET',
      '/api/v1/raw',
      '{"result":"success","msg":"","before":1,"raw":[{"b":1, "a":2}],"nested":[{"x":1}]}\n',
    ],
    [
      'GET',
      '/api/v1/raw?x=1',
      '{"result":"success","msg":"","before":1,"raw":[{"b":1, "a":2}],"nested":[{"x":1}],"ignored_parameters_unsupported":["x"]}\n',
    ],
  ])('%s %s', async (method, url, body) => {
    const answer = await call(method, url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body).toBe(body);
  });

  it('does not wrap files', async () => {
    expect((await call('GET', '/api/v1/file')).body).toBe('bytes');
  });

  it('is not put around answers of other paths', async () => {
    expect((await call('GET', '/api/companion?x=1')).body).toBe('{"plain":true}');
    expect((await call('GET', '/elsewhere')).body).toBe('text');
  });

  it('leaves the body out for HEAD', async () => {
    const answer = await call('HEAD', '/api/v1/nothing');
    expect({ status: answer.statusCode, body: answer.body }).toEqual({ status: 200, body: '' });
  });
});

describe('errors [WIRE-5b, ERR-shape, ERR-extra-keys]', () => {
  it('of services have their code, status, data and headers', async () => {
    const answer = await call('GET', '/api/v1/refuse?x=1');
    expect(answer.statusCode).toBe(418);
    expect(answer.body).toBe('{"result":"error","msg":"No.","code":"SOME_CODE","extra":[1]}\n');
    expect(answer.headers).toMatchObject({
      'x-more': 'yes',
      'content-type': 'application/json; charset=utf-8',
    });
  });

  it('are BAD_REQUEST by default', async () => {
    const answer = await call('GET', '/api/v1/plain-refusal');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ result: 'error', msg: 'Just no.', code: 'BAD_REQUEST' });
  });

  it('of the framework keep their status', async () => {
    const answer = await call('GET', '/api/v1/framework');
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toEqual({ result: 'error', msg: 'Busy', code: 'BAD_REQUEST' });
  });

  it.each(['/api/refuse', '/refuse'])('of %s have a detail', async (url) => {
    const answer = await call('GET', url);
    expect(answer.statusCode).toBe(418);
    expect(answer.json()).toEqual({ detail: 'No.' });
  });

  it('nobody foresaw are a 500 without code or details, and are logged with the request ID', async () => {
    log.length = 0;
    const answer = await call('GET', '/api/v1/bug');
    expect(answer.statusCode).toBe(500);
    expect(answer.body).toBe('{"result":"error","msg":"Internal server error"}\n');
    const entry = JSON.parse(log.join('')) as { reqId: string; err: { message: string; stack: string } };
    expect(entry.reqId).toBe(answer.headers['x-request-id']);
    expect(entry.err.message).toBe('secret detail');
    expect((await call('GET', '/bug')).json()).toEqual({ detail: 'Internal server error' });
  });
});

describe('paths', () => {
  it.each<['GET' | 'POST' | 'OPTIONS' | 'PUT', string]>([
    ['GET', '/api/v1/unknown'],
    ['POST', '/api/v1/unknown'],
    ['OPTIONS', '/api/v1/unknown'],
    ['PUT', '//api//v1//unknown?x=1'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/'],
    ['GET', '/api/v1/nothing/'],
    ['GET', '/api/v1/things/'],
    ['GET', '/%61pi/v1/unknown'],
  ])('%s %s is unknown', async (method, url) => {
    const answer = await http.app.inject({ method, url });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ result: 'error', msg: 'Page not found', code: 'NOT_FOUND' });
  });

  it.each(['/', '/api', '/api/v2/unknown', '/unknown', '/api/v11/x'])(
    '%s is unknown elsewhere',
    async (url) => {
      const answer = await http.app.inject({ url });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({ detail: 'Page not found' });
    },
  );

  it('may have slashes too many', async () => {
    expect((await call('GET', '//api///v1//nothing?a=//b')).json()).toEqual({
      result: 'success',
      msg: '',
      ignored_parameters_unsupported: ['a'],
    });
  });

  it('that cannot be decoded are refused', async () => {
    const answer = await call('GET', '/api/v1/things/%zz');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ result: 'error', msg: 'Malformed path', code: 'BAD_REQUEST' });
  });

  it('that are too long are refused', async () => {
    const answer = await call('GET', `/api/v1/things/${'a'.repeat(2001)}`);
    expect(answer.statusCode).toBe(414);
    expect(answer.json()).toEqual({ result: 'error', msg: 'The path is too long', code: 'BAD_REQUEST' });
  });
});

describe('wrong methods', () => {
  it.each<['POST' | 'PUT' | 'GET' | 'DELETE', string, string[]]>([
    ['POST', '/api/v1/nothing', ['GET', 'HEAD']],
    ['GET', '/api/v1/keys', ['DELETE', 'POST']],
    ['PUT', '/api/v1/things/5?x=1', ['GET', 'HEAD', 'PATCH']],
    ['PUT', '/api/v1/things/abc', ['GET', 'HEAD']],
    ['DELETE', '//api/v1//nothing', ['GET', 'HEAD']],
    ['GET', '/api/v1/things/all', ['POST']],
    ['PUT', '//api/v1//things/all?x=1', ['POST']],
  ])('%s %s', async (method, url, allowed) => {
    const answer = await http.app.inject({ method, url });
    expect(answer.statusCode).toBe(405);
    expect(answer.json()).toEqual({ result: 'error', msg: 'Method Not Allowed', allowed_methods: allowed });
    expect(answer.headers.allow).toBe(allowed.join(', '));
  });

  it('elsewhere have a detail', async () => {
    const answer = await http.app.inject({ method: 'DELETE', url: '/elsewhere' });
    expect(answer.statusCode).toBe(405);
    expect(answer.json()).toEqual({ detail: 'Method Not Allowed' });
  });

  it('that the router does not know are refused as well', async () => {
    const answer = await http.app.inject({ method: 'PROPFIND' as 'GET', url: '/api/v1/nothing' });
    expect(answer.statusCode).toBe(405);
  });

  it('are told by OPTIONS without credentials', async () => {
    const answer = await http.app.inject({ method: 'OPTIONS', url: '/api/v1/things/5' });
    expect({ status: answer.statusCode, body: answer.body, allow: answer.headers.allow }).toEqual({
      status: 204,
      body: '',
      allow: 'GET, HEAD, PATCH',
    });
  });
});

describe('headers', () => {
  const everywhere = {
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  };

  it.each<['GET' | 'POST' | 'OPTIONS', string]>([
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v1/refuse'],
    ['GET', '/api/v1/bug'],
    ['GET', '/api/v1/unknown'],
    ['POST', '/api/v1/nothing'],
    ['OPTIONS', '/api/v1/nothing'],
    ['GET', '/api/v1/things/%zz'],
    ['GET', '/api/companion'],
  ])('%s %s is never cached', async (method, url) => {
    expect((await call(method, url)).headers).toMatchObject({
      ...everywhere,
      'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private',
      expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
      'content-language': 'en',
    });
  });

  it.each(['/elsewhere', '/unknown', '/bug'])(
    '%s has the security headers [HDR-frame, HDR-nosniff]',
    async (url) => {
      const { headers } = await call('GET', url);
      expect(headers).toMatchObject(everywhere);
      expect(headers).not.toHaveProperty('cache-control');
    },
  );

  it('keep HTML from loading anything, unless the handler knows better [HDR-html]', async () => {
    expect((await call('GET', '/page')).headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect((await call('GET', '/own-policy')).headers['content-security-policy']).toBe("default-src 'self'");
    expect((await call('GET', '/elsewhere')).headers).not.toHaveProperty('content-security-policy');
  });

  it('ask browsers to stay with TLS, where there is TLS', async () => {
    expect((await call('GET', '/unknown')).headers).not.toHaveProperty('strict-transport-security');
    const behindTls = await createHttpApp([AnswersController], { behindTls: true });
    const answer = await behindTls.app.inject({ url: '/unknown' });
    await behindTls.app.close();
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it.each([
    ['https', '10.0.0.1', true],
    ['HTTPS', '10.0.0.1', true],
    ['http', '10.0.0.1', false],
    ['https', '10.0.0.2', false],
  ])(
    'believe that TLS is in front (%s) from %s: %s [HDR-transport]',
    async (proto, remoteAddress, believed) => {
      const proxied = await createHttpApp([AnswersController], { trustedProxies: ['10.0.0.1'] });
      const headers = { 'x-forwarded-proto': proto };
      const undecodable = ['/%ff', '/api/v1/things/%ff', '/api/auth/users/%'];
      const tooLong = `/api/v1/things/${'a'.repeat(2001)}`;
      const urls = ['/unknown', '/api/v1/nothing', '/api/v1/refuse', ...undecodable, tooLong];
      for (const url of urls) {
        const answer = await proxied.app.inject({ url, headers, remoteAddress });
        expect([url, 'strict-transport-security' in answer.headers]).toEqual([url, believed]);
      }
      await proxied.app.close();
    },
  );

  it('give every request an ID of its own', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await call('GET', '/elsewhere')).headers['x-request-id']),
    );
    expect(new Set(ids).size).toBe(3);
  });
});
