import { Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import * as fc from 'fast-check';
import { Role } from '../../../src/platform/actor';
import {
  CompanionController,
  JsonBody,
  PathId,
  QueryParameters,
} from '../../../src/platform/http/companion/companion-decorators';
import { PageQuery, pageOf, pageWindow } from '../../../src/platform/http/companion/paging';
import { BooleanText, Optional } from '../../../src/platform/http/companion/valid-input';
import { AdministratorOnly, NoGuests, OwnerOnly, Public } from '../../../src/platform/http/decorators';
import { RawBody, SentBody, TakesRawBody } from '../../../src/platform/http/body/raw-body';
import { DEFAULT_REQUEST_LIMITS } from '../../../src/platform/http/body/request-limits';
import { as, createHttpApp, type HttpApp } from './http-app';

/** What class-transformer has read of the values of {@link PersonDto.note}. */
const readNotes: unknown[] = [];

const Noted = () =>
  Transform(({ value }: { value: unknown }) => {
    readNotes.push(value);
    return value;
  });

class PersonDto {
  @IsString() @MaxLength(10) name!: string;
  @Optional() @IsIn(['owner', 'member']) role?: string;
  @Optional() @IsInt() age?: number;
  @Noted() @IsOptional() @IsString() note?: string | null;
}

class SearchDto extends PageQuery {
  @Optional() @BooleanText() active?: boolean;
  @Optional() @IsString() search?: string;
}

const LIST = Array.from({ length: 250 }, (_, i) => ({ id: 2 * i + 1 }));

@CompanionController('things')
class ThingsController {
  @Get()
  list(@QueryParameters() query: SearchDto) {
    const found =
      query.search === undefined ? LIST : LIST.filter(({ id }) => `${id}`.endsWith(query.search!));
    return pageOf(found, pageWindow(query), ({ id }) => id);
  }

  @Post()
  create(@JsonBody() body: PersonDto) {
    return { ...body };
  }

  @Post('signed')
  @TakesRawBody()
  signed(@SentBody() body: RawBody) {
    return { length: body.bytes.length };
  }

  @Patch(':thing_id')
  @AdministratorOnly()
  change(@PathId('thing_id') id: number) {
    return { id };
  }

  @Delete(':thing_id')
  @OwnerOnly()
  @HttpCode(204)
  remove() {
    return;
  }

  @Get('members')
  @NoGuests()
  members() {
    return {};
  }

  @Get('open')
  @Public()
  open() {
    return {};
  }
}

let http: HttpApp;

beforeAll(async () => {
  const limits = { ...DEFAULT_REQUEST_LIMITS, bodyBytes: 60_000, jsonBytes: 20_000 };
  http = await createHttpApp([ThingsController], { limits });
});

afterAll(() => http.app.close());

interface Sent {
  payload?: string | object | Buffer;
  headers?: Record<string, string>;
}

async function send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT', path: string, sent: Sent = {}) {
  const url = `/api${path}`;
  const answer = await http.app.inject({ method, url, headers: as(), ...sent });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.payload === '' ? null : answer.json(),
  };
}

const create = (payload: string | object | Buffer, type = 'application/json') =>
  send('POST', '/things', { payload, headers: { ...as(), 'content-type': type } });

const problem = (loc: (string | number)[], msg: string, type: string) => ({ loc, msg, type });

describe('a JSON body', () => {
  it('becomes an instance of its class', async () => {
    const sent = { name: 'Läst 👍', role: 'owner', age: 7, note: null };
    expect(await create(sent)).toMatchObject({ status: 201, body: sent });
    expect(await create({ name: 'Mia' }, 'Application/JSON; charset=utf-8')).toMatchObject({ status: 201 });
  });

  it.each([
    ['a missing field', {}, problem(['body', 'name'], 'Field required', 'missing')],
    ['a wrong type', { name: 5 }, problem(['body', 'name'], 'name must be a string', 'string_type')],
    ['null for a text', { name: null }, problem(['body', 'name'], 'name must be a string', 'string_type')],
    [
      'null for what may be left out',
      { name: 'a', role: null },
      problem(['body', 'role'], 'role must be one of the following values: owner, member', 'enum'),
    ],
    [
      'an array for a text',
      { name: ['a'] },
      problem(['body', 'name'], 'name must be a string', 'string_type'),
    ],
    [
      'a text for a number',
      { name: 'a', age: '7' },
      problem(['body', 'age'], 'age must be an integer number', 'int_type'),
    ],
    [
      'a fraction',
      { name: 'a', age: 7.5 },
      problem(['body', 'age'], 'age must be an integer number', 'int_type'),
    ],
    [
      'a text that is too long',
      { name: 'a'.repeat(11) },
      problem(['body', 'name'], 'name must be shorter than or equal to 10 characters', 'string_too_long'),
    ],
    [
      'an unknown key',
      { name: 'a', admin: true },
      problem(['body', 'admin'], 'Extra inputs are not permitted', 'extra_forbidden'),
    ],
    [
      'NUL',
      { name: 'a\0' },
      problem(['body', 'name'], 'name must not contain null characters or broken Unicode', 'string_unicode'),
    ],
    ['a list', [], problem(['body'], 'Input should be an object', 'dict_type')],
  ])('with %s is refused', async (_, body, expected) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { detail: [expected] } });
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'isPrototypeOf'])(
    'has no field %s',
    async (key) => {
      const { status, body } = await create({ name: 'a', [key]: { prototype: 1 } });
      if (key === 'constructor') expect({ status, body }).toMatchObject({ status: 400 });
      else
        expect({ status, body }).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', key] }] } });
      expect((await create(`{"name":"a","${key}":1}`)).status).toBe(422);
    },
  );

  it('says all that is wrong at once', async () => {
    const { body } = await create({ role: 'king', age: [], other: 1 });
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1]).sort()).toEqual([
      'age',
      'name',
      'other',
      'role',
    ]);
  });

  it.each([
    ['half a surrogate pair', '{"name":"\\ud800"}', 422],
    ['a lone number', '5', 422],
    ['null', 'null', 422],
    ['nothing', '', 422],
    ['broken JSON', '{"name":', 400],
    ['__proto__', '{"name":"a","__proto__":{"role":"owner"}}', 400],
    ['nesting without end', `{"name":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400],
    ['too much', `{"name":"${'a'.repeat(20_001)}"}`, 413],
  ])('of %s is refused', async (_, payload, status) => {
    const answer = await create(payload);
    expect(answer).toMatchObject({ status, body: { detail: expect.anything() } });
    expect(Object.keys(answer.body)).toEqual(['detail']);
  });

  it('may be larger where a route takes its bytes', async () => {
    const sendSigned = (length: number) =>
      send('POST', '/things/signed', {
        payload: Buffer.alloc(length, 0x20),
        headers: { ...as(), 'content-type': 'application/json' },
      });
    expect(await sendSigned(60_000)).toMatchObject({ status: 201, body: { length: 60_000 } });
    expect(await sendSigned(60_001)).toMatchObject({ status: 413 });
  });

  it('is not read for strangers, nor by routes that take none', async () => {
    const headers = { 'content-type': 'application/json' };
    expect(await send('POST', '/things', { payload: '{', headers })).toMatchObject({ status: 401 });
    const owner = { ...as({ role: Role.owner }), ...headers };
    expect(await send('DELETE', '/things/1', { payload: '{', headers: owner })).toMatchObject({
      status: 204,
    });
  });

  it.each([
    ['an object', Object.fromEntries(Array.from({ length: 500 }, (_, at) => [at.toString(16), 1])), {}],
    ['a list', Array.from({ length: 500 }, () => ({})), []],
  ])('with %s for a text is refused before anything goes through it', async (_, note, emptied) => {
    readNotes.length = 0;
    expect(await create({ name: 'a', note })).toMatchObject({
      status: 422,
      body: { detail: [problem(['body', 'note'], 'note must be a string', 'string_type')] },
    });
    expect(readNotes).toEqual([emptied]);
  });

  it('with countless unknown keys is refused for some of them', async () => {
    const keys = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`k${at}`, 1]));
    const answer = await create(JSON.stringify({ ...keys, name: 5 }));
    expect(answer.status).toBe(422);
    const { detail } = answer.body as { detail: { loc: string[] }[] };
    expect(detail.filter(({ loc }) => loc[1]?.startsWith('k'))).toHaveLength(100);
    expect(detail.map(({ loc }) => loc[1])).toContain('name');
  });

  it('never breaks the server, whatever it holds', async () => {
    const values = fc.oneof(
      fc.json(),
      fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify({ name: value, role: value, age: value })),
      fc
        .dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))
        .map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(values, async (text) => {
        const { status, body } = await create(text);
        expect([201, 400, 422]).toContain(status);
        if (status !== 201) expect(Object.keys(body)).toEqual(['detail']);
      }),
      { numRuns: 200 },
    );
  });

  it('must be declared as JSON', async () => {
    expect(await create('name=a', 'application/x-www-form-urlencoded')).toMatchObject({ status: 415 });
    expect(await create('{"name":"a"}', 'text/plain')).toMatchObject({ status: 415 });
    const form = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--x--\r\n';
    expect(await create(form, 'multipart/form-data; boundary=x')).toMatchObject({
      status: 415,
      body: { detail: 'The body must be JSON (content-type: application/json)' },
    });
    expect(await send('POST', '/things')).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body'] }] },
    });
  });
});

describe('a list', () => {
  const list = (query: string) => send('GET', `/things${query}`);
  const ids = (from: number, count: number) => LIST.slice(from, from + count).map(({ id }) => id);

  it('comes in pages of twenty, in the order of IDs', async () => {
    const { body } = await list('');
    expect(body).toEqual({
      items: ids(0, 20),
      total: 250,
      page: 1,
      page_size: 20,
      next_cursor: expect.any(String),
    });
    expect((await list('?page=13')).body).toMatchObject({ items: ids(240, 20), page: 13, next_cursor: null });
    expect((await list('?page=14')).body).toMatchObject({
      items: [],
      total: 250,
      page: 14,
      next_cursor: null,
    });
    expect((await list('?page=1000000000&page_size=100')).body.items).toEqual([]);
  });

  it('takes limit for page_size [COMP-limit]', async () => {
    const expected = { items: ids(5, 5), page: 2, page_size: 5 };
    expect((await list('?page=2&limit=5')).body).toMatchObject(expected);
    expect((await list('?page=2&page_size=5')).body).toMatchObject(expected);
  });

  it('cuts larger pages to a hundred, and says so [COMP-maximum, LIM-4]', async () => {
    for (const query of ['?page_size=101', '?limit=999999999999999']) {
      expect((await list(query)).body).toMatchObject({ items: ids(0, 100), page_size: 100 });
    }
    expect((await list('?page_size=100')).body).toMatchObject({ items: ids(0, 100), page_size: 100 });
  });

  it('refuses limit and page_size together [COMP-both, ERR-paging]', async () => {
    expect(await list('?limit=5&page_size=5')).toMatchObject({
      status: 422,
      body: {
        detail: [problem(['query', 'limit'], 'limit and page_size cannot be combined', 'value_error')],
      },
    });
  });

  it('goes on from a cursor to its end', async () => {
    const seen: number[] = [];
    let { body } = await list('?limit=100');
    for (let cursor = body.next_cursor; cursor !== null; cursor = body.next_cursor) {
      seen.push(...body.items);
      ({ body } = await list(`?limit=100&cursor=${cursor}`));
      expect(body).toMatchObject({ page: null, page_size: 100, total: 250 });
    }
    expect([...seen, ...body.items]).toEqual(ids(0, 250));
  });

  it('knows the end from the last entry of a full page', async () => {
    const { body } = await list('?search=9&limit=50');
    expect(body).toMatchObject({ total: 50, next_cursor: null });
  });

  it.each([
    ['page=0', 'page', 'greater_than_equal'],
    ['page=-1', 'page', 'greater_than_equal'],
    ['page=1000000001', 'page', 'less_than_equal'],
    ['page=', 'page', 'int_type'],
    ['page=1.0', 'page', 'int_type'],
    ['page=1e1', 'page', 'int_type'],
    ['limit=0', 'limit', 'greater_than_equal'],
    ['page_size=ten', 'page_size', 'int_type'],
    ['page=99999999999999999999', 'page', 'less_than_equal'],
    ['page_size=-99999999999999999999', 'page_size', 'greater_than_equal'],
    ['cursor=nonsense', 'cursor', 'value_error'],
    [`cursor=${Buffer.from('after 99999999999').toString('base64url')}`, 'cursor', 'value_error'],
    [`cursor=${Buffer.from('after 9999999999').toString('base64url')}`, 'cursor', 'value_error'],
    [`cursor=${Buffer.from('after 1').toString('base64url')}&page=2`, 'cursor', 'value_error'],
    ['active=yes', 'active', 'bool_type'],
    ['sort=name', 'sort', 'extra_forbidden'],
    ['size=5', 'size', 'extra_forbidden'],
  ])('refuses ?%s', async (query, name, type) => {
    const { status, body } = await list(`?${query}`);
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['query', name], type }] },
    });
  });
});

describe('the companion interface', () => {
  it('tells strangers, and those who lack the role, apart', async () => {
    const { status, body, headers } = await send('PATCH', '/things/1', { headers: {} });
    expect({ status, body }).toEqual({ status: 401, body: { detail: 'Not authenticated' } });
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(await send('PATCH', '/things/1')).toMatchObject({
      status: 403,
      body: { detail: 'Must be an organization administrator' },
    });
    const administrator = as({ role: Role.administrator });
    expect(await send('PATCH', '/things/1', { headers: administrator })).toMatchObject({ status: 200 });
    expect(await send('DELETE', '/things/1', { headers: administrator })).toMatchObject({ status: 403 });
    expect(await send('GET', '/things/members', { headers: as({ role: Role.guest }) })).toMatchObject({
      status: 403,
    });
    expect(await send('GET', '/things/open', { headers: {} })).toMatchObject({ status: 200 });
  });

  it('finds nothing under what is no ID', async () => {
    const headers = as({ role: Role.owner });
    expect((await send('PATCH', '/things/2147483647', { headers })).body).toEqual({ id: 2147483647 });
    for (const id of ['2147483648', '99999999999999999999', '-1', '1.5', '0x1', 'me']) {
      expect(await send('PATCH', `/things/${id}`, { headers })).toMatchObject({
        status: 404,
        body: { detail: 'Page not found' },
      });
    }
  });

  it('answers unknown paths and wrong methods in its own shape', async () => {
    expect(await send('GET', '/nothing')).toMatchObject({ status: 404, body: { detail: 'Page not found' } });
    expect(await send('GET', '')).toMatchObject({ status: 404, body: { detail: 'Page not found' } });
    const { status, body, headers } = await send('PUT', '/things');
    expect({ status, body }).toEqual({ status: 405, body: { detail: 'Method Not Allowed' } });
    expect(headers.allow).toBe('GET, HEAD, POST');
  });

  it('names whole seconds to those who asked too often', async () => {
    const limited = await createHttpApp([ThingsController], { rateLimitPerMinute: 1 });
    const call = () => limited.app.inject({ url: '/api/things', headers: as() });
    await call();
    limited.clock.now += 500;
    const answer = await call();
    expect({ status: answer.statusCode, body: answer.json() }).toEqual({
      status: 429,
      body: { detail: 'API usage exceeded rate limit' },
    });
    expect(answer.headers['retry-after']).toBe('60');
    await limited.app.close();
  });
});
