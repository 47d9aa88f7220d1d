import { Controller, Get, Post } from '@nestjs/common';
import {
  NotRateLimited,
  OptionalCredentials,
  OwnerOnly,
  Public,
} from '../../../src/platform/http/decorators';
import { as, createHttpApp, type HttpApp } from './http-app';

@Controller('api/v1')
class LimitedController {
  @Get('limited')
  limited() {
    return;
  }

  @Post('limited')
  alsoLimited() {
    return;
  }

  @Get('owners')
  @OwnerOnly()
  owners() {
    return;
  }

  @Get('open')
  @OptionalCredentials()
  open() {
    return;
  }

  @Get('public')
  @Public()
  public() {
    return;
  }

  @Get('events')
  @NotRateLimited()
  events() {
    return;
  }
}

let http: HttpApp;

beforeEach(async () => {
  http = await createHttpApp([LimitedController], { rateLimitPerMinute: 3, trustedProxies: ['127.0.0.1'] });
});

afterEach(() => http.app.close());

async function get(path: string, headers: Record<string, string> = as()) {
  const answer = await http.app.inject({ url: `/api/v1/${path}`, headers });
  return {
    status: answer.statusCode,
    limit: answer.headers['x-ratelimit-limit'],
    remaining: answer.headers['x-ratelimit-remaining'],
    reset: answer.headers['x-ratelimit-reset'],
    retryAfter: answer.headers['retry-after'],
    body: answer.json(),
  };
}

const START = 1_700_000_000;

it('counts down over all endpoints of an account, refusals included', async () => {
  await expect(get('limited')).resolves.toMatchObject({
    status: 200,
    limit: '3',
    remaining: '2',
    reset: `${START + 60}`,
  });
  http.clock.now += 1_500;
  await expect(get('owners')).resolves.toMatchObject({ status: 400, remaining: '1', reset: `${START + 61}` });
  const wrong = await http.app.inject({ url: '/api/v1/limited?x=%zz', headers: as() });
  expect({ status: wrong.statusCode, remaining: wrong.headers['x-ratelimit-remaining'] }).toEqual({
    status: 400,
    remaining: '0',
  });
});

it('refuses what is too much, says when to come back, and does not count it', async () => {
  await get('limited');
  http.clock.now += 10_250;
  await get('limited');
  await get('limited');
  for (let i = 0; i < 5; i++) {
    http.clock.now += 1_000;
    await get('limited');
  }
  const refused = await get('limited');
  expect(refused).toEqual({
    status: 429,
    limit: '3',
    remaining: '0',
    reset: `${START + 60}`,
    retryAfter: '44.75',
    body: {
      result: 'error',
      msg: 'API usage exceeded rate limit',
      code: 'RATE_LIMIT_HIT',
      'retry-after': 44.75,
    },
  });
  http.clock.now += 44_749;
  expect((await get('limited')).status).toBe(429);
  http.clock.now += 1;
  await expect(get('limited')).resolves.toMatchObject({ status: 200, remaining: '0' });
  expect((await get('limited')).status).toBe(429);
});

it('rolls with the clock instead of starting anew each minute', async () => {
  for (const wait of [0, 30_000, 29_000, 1_000, 30_000]) {
    http.clock.now += wait;
    expect((await get('limited')).status).toBe(200);
  }
  expect((await get('limited')).status).toBe(429);
});

it('counts each account by itself', async () => {
  for (let i = 0; i < 3; i++) await get('limited');
  expect((await get('limited')).status).toBe(429);
  await expect(get('limited', as({ userId: 11 }))).resolves.toMatchObject({ status: 200, remaining: '2' });
});

it('does not count long polls, but lets them through', async () => {
  for (let i = 0; i < 5; i++) {
    await expect(get('events')).resolves.toMatchObject({ status: 200, remaining: undefined });
  }
  await expect(get('limited')).resolves.toMatchObject({ remaining: '2' });
});

it('does not count, limit or mark refused credentials', async () => {
  for (let i = 0; i < 5; i++) {
    await expect(get('limited', { 'x-test-actor': 'refused' })).resolves.toMatchObject({
      status: 401,
      limit: undefined,
    });
  }
});

it('gives callers without account 100 requests for each address', async () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  for (let i = 0; i < 100; i++) {
    expect((await get(i % 2 === 0 ? 'open' : 'public', from('192.0.2.1'))).status).toBe(200);
  }
  await expect(get('open', from('192.0.2.1'))).resolves.toMatchObject({
    status: 429,
    limit: '100',
    remaining: '0',
  });
  await expect(get('open', from('192.0.2.2'))).resolves.toMatchObject({ status: 200, remaining: '99' });
  await expect(get('open', { ...from('192.0.2.1'), ...as() })).resolves.toMatchObject({
    status: 200,
    limit: '3',
  });
});

it('is off when the limit is 0', async () => {
  await http.app.close();
  http = await createHttpApp([LimitedController], { rateLimitPerMinute: 0 });
  for (let i = 0; i < 10; i++) {
    await expect(get('limited')).resolves.toMatchObject({ status: 200, limit: undefined });
  }
});
