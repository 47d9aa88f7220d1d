import { randomUUID } from 'node:crypto';
import { Passwords } from '../../src/platform/secrets/passwords';
import { RedisLink } from '../../src/platform/redis/redis-link';
import { RedisLock } from '../../src/platform/redis/redis-lock';
import { PASSWORD } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { hasPostgres } from '../support/test-database';
import type { Line } from '../support/line';
import { hasRedis, openRedisLine } from '../support/test-redis';

if (!hasPostgres) test.todo('logins on several nodes: TEST_DATABASE_URL names no server');

const describeOnPostgres = hasPostgres ? describe : describe.skip;

/** How many of each status there are. */
function counted(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describeOnPostgres('failed logins on two nodes', () => {
  let line: Line;
  let one: TestApp;
  let other: TestApp;
  let isRedisThere: boolean;

  beforeAll(async () => {
    isRedisThere = await hasRedis();
    line = await openRedisLine();
    one = await TestApp.start({ engine: 'postgres', env: { REDIS_URL: line.url } });
    other = await one.anotherNode();
    while (isRedisThere && !(await linksAnswer())) await new Promise(setImmediate);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await other.stop();
    await one.stop();
    await line.close();
  });

  const linksAnswer = async () =>
    (await Promise.all([one, other].map((app) => app.get(RedisLink).answers()))).every(Boolean);

  const login = (app: TestApp, username: string, password: string) =>
    app.client().post('/fetch_api_key', { username, password });

  /** Fifty wrong passwords side by side, every other one to the other node. */
  const guess = (username: string) =>
    Promise.all(Array.from({ length: 50 }, (_, n) => login(n % 2 ? one : other, username, `wrong ${n}`)));

  const watchVerifications = () => [one, other].map((app) => jest.spyOn(app.get(Passwords), 'verify'));

  // Without a Redis there is nothing to be seen of it; the last test runs all the same.
  const skips = () =>
    !isRedisThere && void console.warn('Skipped, as no Redis answers at TEST_REDIS_URL.') === undefined;

  it('are counted together: fifty parallel guesses have five verifications [LIM-2b]', async () => {
    if (skips()) return;
    const verifications = watchVerifications();
    expect(counted(await guess('max@example.com'))).toEqual({ 401: 5, 429: 45 });
    expect(verifications.flatMap((watched) => watched.mock.calls)).toHaveLength(5);
    for (const app of [one, other]) {
      expect(await login(app, 'max@example.com', PASSWORD)).toMatchObject({
        body: { code: 'RATE_LIMIT_HIT' },
      });
    }
  });

  it('leave room for every right password, wherever it comes in', async () => {
    if (skips()) return;
    const answers = Array.from({ length: 20 }, (_, n) =>
      login(n % 2 ? one : other, 'mona@example.com', PASSWORD),
    );
    for (const answer of await Promise.all(answers)) expectSuccess(answer);
  });

  it('leave no address and no e-mail address in Redis', async () => {
    if (skips()) return;
    await login(one, 'olivia@example.com', 'wrong');
    const link = one.get(RedisLink);
    const names = await link.ask((redis) => redis.keys(link.key('login', '*')));
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !/^parley:[\w-]+:login:(failures|turn):[\w-]{43}$/.test(name))).toEqual([]);
    for (const name of names) expect(await link.ask((redis) => redis.pTTL(name))).toBeGreaterThan(0);
  });

  it('do not count when another node has had the turn meanwhile', async () => {
    if (skips()) return;
    const link = one.get(RedisLink);
    const passwords = one.get(Passwords);
    const verify = passwords.verify.bind(passwords);
    jest.spyOn(passwords, 'verify').mockImplementationOnce(async (hashed, password) => {
      const [turn] = await link.ask((redis) => redis.keys(link.key('login', 'turn', '*')));
      await link.ask((redis) => redis.set(turn as string, 'somebody else', { PX: 100 }));
      return verify(hashed, password);
    });
    const answer = await login(one, 'adam@example.com', PASSWORD);
    expect(answer).toMatchObject({ status: 503, body: { code: 'SERVER_BUSY' } });
  });

  it.each(['stall', 'cut'] as const)(
    'are counted by each node alone while Redis is down (%s)',
    async (how) => {
      line[how]();
      const address = `${how}@example.com`;
      const answers = counted(await guess(address));
      expect(answers).toEqual({ 401: 10, 429: 40 });
      expectSuccess(await login(one, 'mia@example.com', PASSWORD));
      line.mend();
      if (skips()) return;
      while (!(await linksAnswer())) await new Promise((resume) => setTimeout(resume, 50));
      // What each node knows of the time without Redis still counts there.
      expect(counted([await login(one, address, PASSWORD), await login(other, address, PASSWORD)])).toEqual({
        429: 2,
      });
    },
  );
});

describeOnPostgres('a lock among nodes', () => {
  let line: Line;
  let app: TestApp;

  beforeAll(async () => {
    line = await openRedisLine();
    app = await TestApp.start({ engine: 'postgres', env: { REDIS_URL: line.url } });
  });

  afterAll(async () => {
    await app.stop();
    await line.close();
  });

  it('is held by one at a time, and lost by a holder that is gone', async () => {
    if (!(await hasRedis())) return;
    const link = app.get(RedisLink);
    const name = link.key('test', randomUUID());
    const held = await new RedisLock(link).take(name, 0);
    expect(await new RedisLock(link).take(name, 0)).toBeNull();
    await link.ask((redis) => redis.del(name));
    const next = await new RedisLock(link).take(name, 0);
    expect(await held?.giveBack()).toBe(false);
    expect(await next?.giveBack()).toBe(true);
    expect(await link.ask((redis) => redis.exists(name))).toBe(0);
  });

  it('is renewed while its holder works', async () => {
    if (!(await hasRedis())) return;
    const link = app.get(RedisLink);
    const name = link.key('test', randomUUID());
    const held = await new RedisLock(link, 1_500).take(name, 0);
    expect(await new RedisLock(link, 1_500).take(name, 2_000)).toBeNull();
    expect(await held?.giveBack()).toBe(true);
  });
});
