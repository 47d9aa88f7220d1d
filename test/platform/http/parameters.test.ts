import { Controller, Delete, Get, Patch, Post, Put } from '@nestjs/common';
import { bareOrQuoted, integerOrWord } from '../../../src/platform/http/parameters/further-types';
import { groupSettingChange, groupSettingValue } from '../../../src/features/user-groups/user-groups.module';
import { json } from '../../../src/platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../src/platform/http/parameters/parameter.decorator';
import { Parameters } from '../../../src/platform/http/parameters/parameters.decorator';
import { oneOf, text } from '../../../src/platform/http/parameters/text';
import { as, createHttpApp, type HttpApp } from './http-app';

const optional = { optional: true };
const channel = json.object(
  { name: json.text(), description: json.text({ maxLength: 5, optional: true }) },
  {
    notAnObject: (at) =>
      `Invalid ${at}: Input should be a valid dictionary or instance of AddSubscriptionData`,
  },
);

class EveryTypeDto {
  @Parameter(json.boolean(), optional) flag?: boolean;
  @Parameter(json.integer({ min: -1, max: 10 }), optional) int?: number;
  @Parameter(json.integer(), optional) any_int?: number;
  @Parameter(json.float(), optional) float?: number;
  @Parameter(json.text({ maxLength: 3 }), optional) json_text?: string;
  @Parameter(text(), optional) plain?: string;
  @Parameter(text({ maxLength: 3, notBlank: true }), optional) short?: string;
  @Parameter(text({ minLength: 3 }), optional) long?: string;
  @Parameter(text({ trim: true, notBlank: true }), optional) trimmed?: string;
  @Parameter(text({ unchecked: true }), optional) unchecked?: string;
  @Parameter(json.text({ unchecked: true }), optional) json_unchecked?: string;
  @Parameter(oneOf(['add', 'remove']), optional) op?: 'add' | 'remove';
  @Parameter(json.oneOf([1, 2, 'x']), optional) choice?: 1 | 2 | 'x';
  @Parameter(json.array(json.integer()), optional) ints?: number[];
  @Parameter(json.array(json.text(), { maxItems: 3 }), optional) texts?: string[];
  @Parameter(json.array(channel), optional) subscriptions?: object[];
  @Parameter(json.object({ id: json.integer() }), optional) dict?: object;
  @Parameter(json.record(json.integer()), optional) record?: Record<string, number>;
  @Parameter(json.nullable(json.integer()), optional) maybe?: number | null;
  @Parameter(json.any(), optional) anything?: unknown;
  @Parameter(
    json.union({ 'list[str]': json.array(json.text()), 'list[int]': json.array(json.integer()) }),
    optional,
  )
  principals?: string[] | number[];
  @Parameter(groupSettingValue(), optional) group?: unknown;
  @Parameter(groupSettingChange(), optional) change?: unknown;
  @Parameter(bareOrQuoted(['inherit', 'allow']), optional) policy?: string;
  @Parameter(integerOrWord(['unlimited']), optional) retention?: number | string;
}

class OrderedBaseDto {
  @Parameter(json.integer()) first!: number;
  @Parameter(json.integer(), { aliases: ['zweitens', 'deuxieme'] }) second!: number;
}

class OrderedDto extends OrderedBaseDto {
  @Parameter(json.integer()) third!: number;
  @Parameter(json.integer(), { default: 4 }) fourth!: number;
}

class PathDto {
  @PathParameter() id!: number;
  @Parameter(text(), optional) topic?: string;
}

class PathTextDto {
  @PathParameter(text()) email!: string;
}

@Controller('api/v1')
class ParametersController {
  @Post('every-type')
  everyType(@Parameters() input: EveryTypeDto) {
    return { input };
  }

  @Post('ordered')
  ordered(@Parameters() input: OrderedDto) {
    return { input, isInstance: input instanceof OrderedDto };
  }

  @Patch('things/:id(\\d+)')
  path(@Parameters() input: PathDto) {
    return { input };
  }

  @Get('users/:email')
  pathText(@Parameters() input: PathTextDto) {
    return { input };
  }

  @Get('any')
  @Post('any')
  any(@Parameters() input: PathDto) {
    return { input };
  }

  @Get('methods')
  methodGet(@Parameters() input: OrderedBaseDto) {
    return { input };
  }

  @Post('methods')
  methodPost(@Parameters() input: OrderedBaseDto) {
    return { input };
  }

  @Patch('methods')
  methodPatch(@Parameters() input: OrderedBaseDto) {
    return { input };
  }

  @Put('methods')
  methodPut(@Parameters() input: OrderedBaseDto) {
    return { input };
  }

  @Delete('methods')
  methodDelete(@Parameters() input: OrderedBaseDto) {
    return { input };
  }

  @Get('undeclared')
  undeclared() {
    return;
  }
}

let http: HttpApp;

beforeAll(async () => {
  http = await createHttpApp([ParametersController]);
});

afterAll(() => http.app.close());

function form(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}

async function post(path: string, payload: string | Buffer) {
  const headers = { ...as(), 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await http.app.inject({ method: 'POST', url: `/api/v1/${path}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
}

async function expectAccepted(name: string, sent: string, value: unknown): Promise<void> {
  const { status, body } = await post('every-type', form({ [name]: sent }));
  expect({ status, body }).toEqual({
    status: 200,
    body: { result: 'success', msg: '', input: { [name]: value } },
  });
}

async function expectRefused(name: string, sent: string, msg: string): Promise<void> {
  const { status, body } = await post('every-type', form({ [name]: sent }));
  // Values that name groups have several forms, and errors show them.
  const forms = ['group', 'change'].includes(name) && { expected: expect.stringContaining('direct_members') };
  const expected = { result: 'error', msg, code: 'BAD_REQUEST', ...forms };
  expect({ status, body }).toEqual({ status: 400, body: expected });
}

describe('what a type accepts [WIRE-3, WIRE-4]', () => {
  it.each<[string, string, unknown]>([
    ['flag', 'true', true],
    ['flag', ' false ', false],
    ['int', '1', 1],
    ['int', '-0', 0],
    ['int', '10', 10],
    ['any_int', '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['float', '1.0', 1],
    ['float', '1e2', 100],
    ['float', '7', 7],
    ['json_text', '"a"', 'a'],
    ['json_text', '"👍👍👍"', '👍👍👍'],
    ['plain', '', ''],
    ['plain', ' not "JSON" ', ' not "JSON" '],
    ['plain', 'a+b&c=d%20é', 'a+b&c=d%20é'],
    ['short', '👍👍👍', '👍👍👍'],
    ['trimmed', '  a b ', 'a b'],
    ['unchecked', 'a\0b', 'a\0b'],
    ['json_unchecked', '"\\ud800"', '\ud800'],
    ['op', 'remove', 'remove'],
    ['choice', '2', 2],
    ['choice', '"x"', 'x'],
    ['ints', '[1]', [1]],
    ['ints', '[]', []],
    ['texts', '["a","1.0"]', ['a', '1.0']],
    ['subscriptions', '[{"name":"1.0 \\" [","extra":1.5}]', [{ name: '1.0 " [' }]],
    ['subscriptions', '[{"name":"a","description":""}]', [{ name: 'a', description: '' }]],
    ['dict', '{"id":1,"constructor":2}', { id: 1 }],
    ['record', '{"a":1,"toString":2}', { a: 1, toString: 2 }],
    ['maybe', 'null', null],
    ['maybe', '3', 3],
    ['anything', '{"a":[1.5,null,{"b":"c"}]}', { a: [1.5, null, { b: 'c' }] }],
    ['principals', '["a@example.com"]', ['a@example.com']],
    ['principals', '[1,2]', [1, 2]],
    ['group', '5', 5],
    [
      'group',
      '{"direct_members":[1],"direct_subgroups":[2],"more":3}',
      { direct_members: [1], direct_subgroups: [2] },
    ],
    ['change', '{"new":5}', { new: 5 }],
    ['change', '{"new":5,"old":null}', { new: 5, old: null }],
    [
      'change',
      '{"new":5,"old":{"direct_members":[],"direct_subgroups":[]}}',
      { new: 5, old: { direct_members: [], direct_subgroups: [] } },
    ],
    ['policy', 'inherit', 'inherit'],
    ['policy', '"inherit"', 'inherit'],
    ['retention', '30', 30],
    ['retention', 'unlimited', 'unlimited'],
    ['retention', '"unlimited"', 'unlimited'],
    ['retention', '"whatever"', 'whatever'],
  ])('%s=%j', async (...row) => expectAccepted(...row));
});

describe('what a type refuses [WIRE-3, WIRE-4]', () => {
  it.each<[string, string, string]>([
    ['flag', 'True', 'flag is not valid JSON'],
    ['flag', 'yes', 'flag is not valid JSON'],
    ['flag', '', 'flag is not valid JSON'],
    ['flag', '1', 'flag is not a boolean'],
    ['flag', '0', 'flag is not a boolean'],
    ['flag', '"true"', 'flag is not a boolean'],
    ['flag', 'null', 'flag is not a boolean'],
    ['int', '"5"', 'int is not an integer'],
    ['int', '5.0', 'int is not an integer'],
    ['int', '1e0', 'int is not an integer'],
    ['int', 'true', 'int is not an integer'],
    ['int', 'null', 'int is not an integer'],
    ['int', 'abc', 'int is not valid JSON'],
    ['int', '', 'int is not valid JSON'],
    ['int', '05', 'int is not valid JSON'],
    ['int', '1.', 'int is not valid JSON'],
    ['int', '-2', 'int is too small'],
    ['int', '11', 'int is too large'],
    ['any_int', '9007199254740992', 'any_int is too large'],
    ['any_int', '-1e400', 'any_int is not an integer'],
    ['float', '"1"', 'float is not a float'],
    ['json_text', '5', 'json_text is not a string'],
    ['json_text', '"abcd"', 'json_text is too long (limit: 3 characters)'],
    ['short', '👍👍👍👍', 'short is too long (limit: 3 characters)'],
    ['short', '', 'short cannot be blank'],
    ['trimmed', ' \t ', 'trimmed cannot be blank'],
    ['long', 'ab', 'long is too short.'],
    ['long', '👍👍', 'long is too short.'],
    ['op', 'replace', 'Invalid op'],
    ['op', '"add"', 'Invalid op'],
    ['op', 'toString', 'Invalid op'],
    ['choice', '3', 'Invalid choice'],
    ['choice', 'x', 'choice is not valid JSON'],
    ['ints', '["1"]', 'ints[0] is not an integer'],
    ['ints', '[1,1.0]', 'ints[1] is not an integer'],
    ['ints', '[true]', 'ints[0] is not an integer'],
    ['ints', '1', 'ints is not a list'],
    ['ints', 'null', 'ints is not a list'],
    ['ints', '{}', 'ints is not a list'],
    ['texts', '[1]', 'texts[0] is not a string'],
    ['texts', 'a', 'texts is not valid JSON'],
    ['texts', '"a"', 'texts is not a list'],
    ['texts', '["a","b","c","d"]', 'texts is too long (limit: 3 items)'],
    ['subscriptions', '[{}]', 'subscriptions[0]["name"] field is missing: Field required'],
    ['subscriptions', '[{"name":"a"},{"name":5}]', 'subscriptions[1]["name"] is not a string'],
    [
      'subscriptions',
      '[{"name":"a","description":"123456"}]',
      'subscriptions[0]["description"] is too long (limit: 5 characters)',
    ],
    ['subscriptions', '[{"name":"a","description":null}]', 'subscriptions[0]["description"] is not a string'],
    [
      'subscriptions',
      '["a"]',
      'Invalid subscriptions[0]: Input should be a valid dictionary or instance of AddSubscriptionData',
    ],
    ['dict', '[]', 'dict is not a dict'],
    ['dict', '"a"', 'dict is not a dict'],
    ['dict', 'null', 'dict is not a dict'],
    ['dict', '{}', 'dict["id"] field is missing: Field required'],
    ['dict', '{"id":1.0}', 'dict["id"] is not an integer'],
    ['record', '{"a":"b"}', 'record["a"] is not an integer'],
    ['maybe', '"3"', 'maybe is not an integer'],
    ['principals', '[1,"a"]', 'principals["list[str]"][0] is not a string'],
    ['principals', '["a",1]', 'principals["list[str]"][1] is not a string'],
    ['principals', '"a"', 'principals["list[str]"] is not a list'],
    ['principals', 'a@example.com', 'principals is not valid JSON'],
    ['group', '"5"', 'group["int"] is not an integer'],
    ['group', '5.0', 'group["int"] is not an integer'],
    ['group', '[5]', 'group["int"] is not an integer'],
    ['group', 'null', 'group["int"] is not an integer'],
    ['group', '{"direct_members":[1]}', 'group["int"] is not an integer'],
    ['group', '{"direct_members":["a"],"direct_subgroups":[]}', 'group["int"] is not an integer'],
    ['group', 'x', 'group is not valid JSON'],
    ['change', '5', 'change does not have the expected format'],
    ['change', '{"old":5}', 'change["new"] field is missing: Field required'],
    ['change', '{"new":"x"}', 'change["new"]["int"] is not an integer'],
    ['change', '{"new":5,"old":"x"}', 'change["old"]["int"] is not an integer'],
    ['policy', '"other"', 'Invalid policy'],
    ['policy', '1', 'Invalid policy'],
    ['policy', 'other', 'policy is not valid JSON'],
    ['retention', 'other', 'retention["json[str]"] is not valid JSON'],
    ['retention', '[1]', 'retention["json[str]"] is not a string'],
    ['retention', '1.0', 'retention["json[str]"] is not a string'],
  ])('%s=%j', async (...row) => expectRefused(...row));
});

describe('texts that could do harm', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  it.each<[string, string, string]>([
    ['plain', 'a\0b', 'plain must not contain null characters'],
    ['json_text', '"\\u0000"', 'json_text must not contain null characters'],
    ['json_text', '"\\ud800"', 'json_text is not valid Unicode'],
    ['subscriptions', '[{"name":"a\\udc00"}]', 'subscriptions[0]["name"] is not valid Unicode'],
    ['record', '{"\\u0000":1}', 'record must not contain null characters'],
    ['anything', '{"a":["\\ud800"]}', 'anything is not valid Unicode'],
    ['anything', '{"\\u0000":1}', 'anything must not contain null characters'],
    ['dict', '{"__proto__":{"a":1},"id":1}', 'dict contains a forbidden key'],
    ['dict', '{"\\u005f_proto__":{"a":1},"id":1}', 'dict contains a forbidden key'],
    ['anything', '[{"constructor":{"prototype":{"a":1}}}]', 'anything contains a forbidden key'],
    ['anything', deep(33), 'anything is nested too deeply (limit: 32 levels)'],
    ['ints', '['.repeat(10_000), 'ints is nested too deeply (limit: 32 levels)'],
    ['anything', '{"a":'.repeat(10_000), 'anything is nested too deeply (limit: 32 levels)'],
  ])('%s=%j', async (...row) => expectRefused(...row));

  it.each<[string, string, string]>([
    ['anything', `"${'a'.repeat(65_535)}"`, 'anything is too long (limit: 65536 characters)'],
    ['dict', `{"id":1,${'"":1,'.repeat(13_200)}`, 'dict is too long (limit: 65536 characters)'],
    ['ints', `[${'1,'.repeat(10_000)}1]`, 'ints is too long (limit: 10000 items)'],
    ['anything', `[${'[],'.repeat(5_000)}1]`, 'anything is too long (limit: 10000 items)'],
    ['texts', `["a","b","c",`, 'texts is too long (limit: 3 items)'],
    ['retention', `"${'a'.repeat(65_535)}"`, 'retention["json[str]"] is too long (limit: 65536 characters)'],
    ['group', `[${'1,'.repeat(40_000)}1]`, 'group is too long (limit: 65536 characters)'],
  ])('are refused before they are parsed, where they are too much (%#)', async (...row) =>
    expectRefused(...row),
  );

  it('are not refused for commas and brackets in strings', async () => {
    await expectAccepted('texts', '[",,[[{{\\",,,","b","c"]', [',,[[{{",,,', 'b', 'c']);
    const longest = 'a'.repeat(65_534);
    await expectAccepted('anything', JSON.stringify(longest), longest);
  });

  it('counts only brackets outside strings as nesting', async () => {
    await expectAccepted('anything', JSON.stringify(`${deep(40)}\\"[`), `${deep(40)}\\"[`);
    await expectAccepted('anything', deep(32), JSON.parse(deep(32)));
  });

  it.each(['__proto__', 'constructor', 'prototype', 'a\0b'])(
    'refuses a parameter called %j',
    async (name) => {
      const { status, body } = await post('every-type', form({ [name]: '1' }));
      expect(status).toBe(400);
      expect(body).toEqual({
        result: 'error',
        msg: `Invalid parameter name ${JSON.stringify(name)}`,
        code: 'BAD_REQUEST',
      });
    },
  );

  it.each<[string, string | Buffer, string]>([
    ['a broken escape', 'plain=%zz', 'plain is not valid URL-encoded UTF-8'],
    ['an escape cut off', 'plain=50%', 'plain is not valid URL-encoded UTF-8'],
    ['an escaped byte that is no UTF-8', 'plain=%ff', 'plain is not valid URL-encoded UTF-8'],
    ['an escaped lone surrogate', 'plain=%ed%a0%80', 'plain is not valid URL-encoded UTF-8'],
    ['a broken escape in a name', 'pla%zzin=1', 'parameter name is not valid URL-encoded UTF-8'],
    ['raw bytes that are no UTF-8', Buffer.from('plain=\xff', 'latin1'), 'Request body is not valid UTF-8'],
  ])('refuses %s', async (_what, payload, msg) => {
    const { status, body } = await post('every-type', payload);
    expect({ status, body }).toEqual({ status: 400, body: { result: 'error', msg, code: 'BAD_REQUEST' } });
  });

  it('refuses them in the query string too', async () => {
    const answer = await http.app.inject({ url: '/api/v1/undeclared?plain=%ff', headers: as() });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().msg).toBe('plain is not valid URL-encoded UTF-8');
  });
});

describe('missing parameters and the order of problems', () => {
  it.each<[string, string, object]>([
    ['first', '', { msg: "Missing 'first' argument", code: 'REQUEST_VARIABLE_MISSING', var_name: 'first' }],
    ['a bad first', 'first=x', { msg: 'first is not valid JSON', code: 'BAD_REQUEST' }],
    [
      'second',
      'first=1&third=x',
      { msg: "Missing 'second' argument", code: 'REQUEST_VARIABLE_MISSING', var_name: 'second' },
    ],
    [
      'two names of one parameter',
      'first=1&zweitens=2&second=2',
      {
        msg: "Can't decide between 'second' and 'zweitens' arguments",
        code: 'REQUEST_CONFUSING_VAR',
        var_name1: 'second',
        var_name2: 'zweitens',
      },
    ],
    [
      'two aliases',
      'first=1&deuxieme=2&zweitens=2',
      {
        msg: "Can't decide between 'zweitens' and 'deuxieme' arguments",
        code: 'REQUEST_CONFUSING_VAR',
        var_name1: 'zweitens',
        var_name2: 'deuxieme',
      },
    ],
    ['a bad alias', 'first=1&zweitens=x', { msg: 'zweitens is not valid JSON', code: 'BAD_REQUEST' }],
    [
      'an own parameter after those inherited',
      'first=1&second=2&third=x&fourth=x',
      {
        msg: 'third is not valid JSON',
        code: 'BAD_REQUEST',
      },
    ],
    [
      'an empty value, which is not a missing one',
      'first=',
      { msg: 'first is not valid JSON', code: 'BAD_REQUEST' },
    ],
  ])('reports %s', async (_what, payload, problem) => {
    const { status, body } = await post('ordered', payload);
    expect({ status, body }).toEqual({ status: 400, body: { result: 'error', ...problem } });
  });

  it('fills in defaults and makes an instance of the class', async () => {
    const { body } = await post('ordered', 'first=1&deuxieme=2&third=3');
    expect(body).toEqual({
      result: 'success',
      msg: '',
      input: { first: 1, second: 2, third: 3, fourth: 4 },
      isInstance: true,
    });
  });
});

describe('where parameters may stand', () => {
  it.each(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const)(
    'query string of %s [WIRE-2b]',
    async (method) => {
      const answer = await http.app.inject({
        method,
        url: '/api/v1/methods?first=1&second=2',
        headers: as(),
      });
      expect(answer.json()).toMatchObject({ result: 'success', input: { first: 1, second: 2 } });
    },
  );

  it.each(['POST', 'PATCH', 'PUT', 'DELETE'] as const)(
    'form of %s, before the query string [WIRE-2a]',
    async (method) => {
      const answer = await http.app.inject({
        method,
        url: '/api/v1/methods?first=1&second=9',
        headers: { ...as(), 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
        payload: 'second=8&second=2',
      });
      expect(answer.json()).toMatchObject({ result: 'success', input: { first: 1, second: 2 } });
    },
  );

  it('does not read a body of GET', async () => {
    const answer = await http.app.inject({
      method: 'GET',
      url: '/api/v1/methods?first=1',
      headers: { ...as(), 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'second=2',
    });
    expect(answer.json().msg).toBe("Missing 'second' argument");
  });

  it.each(['application/json', 'text/plain', 'application/octet-stream', 'image/png'])(
    'does not read a body of type %s',
    async (type) => {
      const answer = await http.app.inject({
        method: 'POST',
        url: '/api/v1/methods',
        headers: { ...as(), 'content-type': type },
        payload: '{"first":1,"second":2}',
      });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().msg).toBe("Missing 'first' argument");
    },
  );

  it('ignores broken JSON as well', async () => {
    const answer = await http.app.inject({
      method: 'POST',
      url: '/api/v1/methods?first=1&second=2',
      headers: { ...as(), 'content-type': 'application/json' },
      payload: '{"first',
    });
    expect(answer.json()).toMatchObject({ result: 'success' });
  });
});

describe('path parameters [WIRE-2c]', () => {
  const patch = (path: string) => http.app.inject({ method: 'PATCH', url: `/api/v1/${path}`, headers: as() });

  it('are integers', async () => {
    expect((await patch('things/0042')).json()).toEqual({ result: 'success', msg: '', input: { id: 42 } });
  });

  it.each(['things/abc', 'things/-1', 'things/1.0', 'things/', 'things/1/'])(
    '%s is no route',
    async (path) => {
      expect((await patch(path)).statusCode).toBe(404);
    },
  );

  it('become an ID that nothing has when no column could hold them', async () => {
    const answer = await patch(`things/${'9'.repeat(400)}`);
    expect(answer.json().input).toEqual({ id: 2147483647 });
  });

  it('make the same name in form or query unsupported', async () => {
    const answer = await patch('things/5?id=6&topic=a');
    expect(answer.json()).toEqual({
      result: 'success',
      msg: '',
      input: { id: 5, topic: 'a' },
      ignored_parameters_unsupported: ['id'],
    });
  });

  it.each(['iago@zulip.com', `${'a'.repeat(64)}@${'b'.repeat(180)}.example`, 'übel@exämple.org'])(
    'may be the address %s',
    async (email) => {
      const answer = await http.app.inject({
        url: `/api/v1/users/${encodeURIComponent(email)}`,
        headers: as(),
      });
      expect(answer.json().input).toEqual({ email });
    },
  );
});

describe('ignored parameters [WIRE-6]', () => {
  it.each<[string, string[] | undefined]>([
    ['', undefined],
    ['?client=test', undefined],
    ['?b=1&a=2&b=3&client=x', ['a', 'b']],
    ['?Zebra=&z=1&%C3%A4=1&a', ['Zebra', 'a', 'z', 'ä']],
    ['?&&=1&', undefined],
  ])('of an endpoint without parameters, sent %j', async (query, ignored) => {
    const answer = await http.app.inject({ url: `/api/v1/undeclared${query}`, headers: as() });
    expect(answer.json()).toEqual({
      result: 'success',
      msg: '',
      ...(ignored && { ignored_parameters_unsupported: ignored }),
    });
  });

  it('are taken from query string and form, each once', async () => {
    const { body } = await post('ordered?x=1&y=1&topic=1', 'first=1&zweitens=2&third=3&y=2&w=3');
    expect(body.ignored_parameters_unsupported).toEqual(['topic', 'w', 'x', 'y']);
  });

  it('are not mentioned on errors', async () => {
    const { status, body } = await post('ordered', 'x=1');
    expect(status).toBe(400);
    expect(body).not.toHaveProperty('ignored_parameters_unsupported');
  });
});

describe('limits', () => {
  it('refuses more parameters than the cap', async () => {
    const many = Array.from({ length: 501 }, (_, i) => `p${i}=1`).join('&');
    expect((await post('ordered', many)).body.msg).toBe('Too many parameters (limit: 500)');
  });

  it('refuses a single value beyond the cap', async () => {
    const { status, body } = await post('every-type', `plain=${'é'.repeat(524_289)}`);
    expect({ status, msg: body.msg }).toEqual({
      status: 400,
      msg: 'plain is too long (limit: 1048576 bytes)',
    });
    expect((await post('every-type', `plain=${'é'.repeat(524_288)}`)).status).toBe(200);
  });

  it('refuses a body beyond the cap', async () => {
    const { status, body } = await post('every-type', Buffer.alloc(4 * 1024 * 1024 + 1, 'a'));
    expect({ status, body }).toEqual({
      status: 413,
      body: { result: 'error', msg: 'Request body is too large', code: 'REQUEST_TOO_LARGE' },
    });
  });
});
