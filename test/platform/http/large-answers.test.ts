import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Get } from '@nestjs/common';
import { RawJson } from '../../../src/platform/http/envelope.interceptor';
import { as, createHttpApp, type HttpApp } from './http-app';

const LETTERS = 'aü€😀"\n'.repeat(1000);

/** How many entries of endless lists were turned into JSON. */
let made = 0;

const result = {
  one: 1,
  none: null,
  gone: undefined,
  moment: new Date(0),
  list: Array.from({ length: 200 }, (_, at) => ({ at, text: LETTERS })),
  holes: [...Array.from({ length: 20 }, () => undefined), () => 1, Symbol('none'), 'end'],
  map: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k"${at}`, at % 2 ? LETTERS : undefined])),
  raw: new RawJson(JSON.stringify({ text: `x${LETTERS.repeat(50)}` })),
};

@Controller('api/v1')
class LargeController {
  @Get('large')
  large() {
    return result;
  }

  @Get('raw')
  raw() {
    return new RawJson(JSON.stringify({ text: LETTERS.repeat(100) }));
  }

  @Get('small')
  small() {
    return { list: Array.from({ length: 100 }, (_, at) => at) };
  }

  /** A hundred megabytes, which are nowhere before they are sent. */
  @Get('endless')
  endless() {
    const entry = { toJSON: () => `${++made} ${'x'.repeat(100_000)}` };
    return { list: Array.from({ length: 1000 }, () => entry) };
  }

  @Get('broken')
  broken() {
    const broken = {
      toJSON: () => {
        throw new Error('It cannot be told.');
      },
    };
    return { list: [...Array.from({ length: 100 }, () => LETTERS), broken] };
  }
}

let http: HttpApp;

beforeAll(async () => {
  http = await createHttpApp([LargeController]);
  await http.app.listen(0, '127.0.0.1');
});

afterAll(() => http.app.close());

/** The answer as it begins; nothing of its body is read yet. */
async function ask(path: string, query = '', userId = 10): Promise<IncomingMessage> {
  const { port } = http.app.getHttpServer().address() as AddressInfo;
  const call = get({ port, path: `/api/v1/${path}${query}`, headers: as({ userId }), agent: false });
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return answer;
}

async function read(answer: IncomingMessage): Promise<unknown> {
  return JSON.parse(await text(answer));
}

/** What is not read any more is not made any more, however long one waits. */
async function settled(): Promise<number> {
  for (let before = -1; before !== made; await pause(300)) before = made;
  return made;
}

it('says the same as one that is sent at once', async () => {
  const answer = await ask('large', '?unknown=1');
  expect(answer.headers).toMatchObject({
    'transfer-encoding': 'chunked',
    'content-type': 'application/json; charset=utf-8',
  });
  expect(await read(answer)).toEqual({
    result: 'success',
    msg: '',
    ...(JSON.parse(JSON.stringify(result)) as object),
    ignored_parameters_unsupported: ['unknown'],
  });
  const raw = { result: 'success', msg: '', text: LETTERS.repeat(100) };
  expect(await read(await ask('raw'))).toEqual(raw);
  const small = await ask('small');
  expect(small.headers['content-length']).toBe(String((await text(small)).length));
});

it('is made no faster than its reader takes it', async () => {
  made = 0;
  const answer = await ask('endless');
  answer.pause();
  expect(await settled()).toBeLessThan(500);
  const { list } = (await read(answer)) as { list: string[] };
  expect(list).toHaveLength(1000);
  expect(made).toBe(1000);
});

it('is made no further for a reader who leaves', async () => {
  made = 0;
  const answer = await ask('endless');
  answer.destroy();
  expect(await settled()).toBeLessThan(500);
});

it('waits with some others of the same caller at most', async () => {
  const waiting = await Promise.all(Array.from({ length: 10 }, () => ask('endless', '', 11)));
  const refused = await ask('endless', '', 11);
  expect(refused.statusCode).toBe(429);
  expect(await read(refused)).toEqual({
    result: 'error',
    msg: 'Too many large answers at once. Read those that are on their way first.',
    code: 'RATE_LIMIT_HIT',
    'retry-after': 1,
  });
  expect((await ask('small', '', 11)).statusCode).toBe(200);
  const other = await ask('endless', '', 12);
  expect(other.statusCode).toBe(200);
  for (const answer of [...waiting, other]) answer.destroy();
  const status = async () => {
    const answer = await ask('endless', '', 11);
    answer.destroy();
    return answer.statusCode;
  };
  while ((await status()) !== 200) await pause(20);
});

it('breaks off where it cannot be told to the end', async () => {
  await expect(ask('broken').then(text)).rejects.toThrow('aborted');
});
