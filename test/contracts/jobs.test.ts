import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import {
  beginQuarantine,
  defineJob,
  endQuarantine,
  type JobHandler,
  JobInterrupted,
  type NewJob,
  UnrecoverableError,
} from '../../src/platform/jobs/job';
import type { Jobs } from '../../src/platform/jobs/jobs.service';
import { Metrics } from '../../src/platform/metrics/metrics';
import { gate, usePlatform } from '../support/contract-suite';
import { jobNode } from '../support/job-node';
import { createTestDatabase, engines, hasPostgres } from '../support/test-database';
import { TestPlatform } from '../support/test-platform';

const testJob = defineJob<string>('test');
type Job = NewJob<string>;
type Handler = JobHandler<string>;

const HOUR_MS = 3_600_000;

if (!hasPostgres) test.todo('jobs on postgres: TEST_DATABASE_URL names no server');

describe.each(engines)('jobs on %s', (engine) => {
  const platform = usePlatform(engine);
  const nodes: Jobs[] = [];
  let done: string[];
  let failures: unknown[];

  beforeEach(async () => {
    done = [];
    failures = [];
    platform().clock.aheadMs = 0;
    await platform().transactions.run((tx) => tx.query('DELETE FROM job'));
  });

  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.onModuleDestroy();
  });

  async function start(
    handler: Partial<Handler> = {},
    on = platform(),
    metrics = new Metrics(),
    patienceSeconds?: number,
  ): Promise<Jobs> {
    const node = jobNode(on, metrics, patienceSeconds);
    node.handle(testJob, {
      work: async ({ data }) => void done.push(data),
      failed: async (_, error) => void failures.push(error),
      retry: { delaysMs: [] },
      timeoutMs: 10_000,
      ...handler,
    });
    nodes.push(node);
    await node.onApplicationBootstrap();
    return node;
  }

  const enqueue = (jobs: Jobs, data: string, job: Partial<Job> = {}) =>
    platform().transactions.run((tx) => jobs.enqueue(tx, { kind: testJob, data, ...job }));
  const rows = () =>
    platform().database.read.query<{ data: string; attempts: number; last_error: string | null }>(
      'SELECT data, attempts, last_error FROM job ORDER BY id',
    );
  const until = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) await moment(5);
  };

  describe('of a restored database', () => {
    beforeEach(() => platform().transactions.run((tx) => beginQuarantine(tx, 'it was restored')));
    afterEach(() => platform().transactions.run((tx) => endQuarantine(tx)));

    it('wait where they leave the machine, until somebody says that they may', async () => {
      const jobs = await start({ leavesMachine: true });
      expect(jobs.quarantineReason).toBe('it was restored');
      await enqueue(jobs, 'mail');
      await jobs.runDue();
      expect(done).toEqual([]);
      await expect(jobs.countLeaving(platform().database.read)).resolves.toBe(1);
      // A pause for another reason ends without them.
      (await jobs.pause())();
      await jobs.runDue();
      expect(done).toEqual([]);
      jobs.endQuarantine();
      await jobs.runDue();
      expect(done).toEqual(['mail']);
    });

    it('are done where they stay', async () => {
      const jobs = await start();
      await enqueue(jobs, 'thumbnail');
      await jobs.runDue();
      expect(done).toEqual(['thumbnail']);
      await expect(jobs.countLeaving(platform().database.read)).resolves.toBe(0);
    });

    it('go on by themselves where another node was told', async () => {
      const jobs = await start({ leavesMachine: true });
      await enqueue(jobs, 'mail');
      await platform().transactions.run((tx) => endQuarantine(tx));
      await until(() => done.length > 0);
      expect(jobs.quarantineReason).toBeNull();
    });

    it('are forgotten where that is wanted', async () => {
      const jobs = await start({ leavesMachine: true });
      await enqueue(jobs, 'mail');
      await platform().transactions.run((tx) => jobs.dropLeaving(tx));
      jobs.endQuarantine();
      await jobs.runDue();
      expect(done).toEqual([]);
    });
  });

  it('are done once the transaction is committed, and not where it is not', async () => {
    const jobs = await start();
    const failing = platform().transactions.run(async (tx) => {
      await jobs.enqueue(tx, { kind: testJob, data: 'lost' });
      throw new Error('No.');
    });
    await expect(failing).rejects.toThrow('No.');
    await platform().transactions.run(async (tx) => {
      await jobs.enqueue(tx, { kind: testJob, data: 'kept' });
      await jobs.runDue();
      expect(done).toEqual([]);
    });
    await until(() => done.length > 0);
    await jobs.runDue();
    expect(done).toEqual(['kept']);
    await expect(rows()).resolves.toEqual([]);
  });

  it('are done when they are due, and not before', async () => {
    const jobs = await start();
    const { clock } = platform();
    // Late enough for a look before it, on a busy machine too.
    const dueAt = clock.nowMs() + 3_000;
    await enqueue(jobs, 'soon', { dueAt });
    await enqueue(jobs, 'later', { dueAt: dueAt + HOUR_MS });
    await jobs.runDue();
    expect(done).toEqual([]);
    await until(() => done.length > 0);
    expect(clock.nowMs()).toBeGreaterThanOrEqual(dueAt);
    clock.aheadMs = HOUR_MS;
    await jobs.runDue();
    expect(done).toEqual(['soon', 'later']);
  });

  it('are cancelled and replaced by their keys', async () => {
    const jobs = await start();
    const dueAt = platform().clock.nowMs() + HOUR_MS;
    for (const data of ['first', 'second']) await enqueue(jobs, data, { key: 'a', dueAt });
    await enqueue(jobs, 'elsewhere', { key: 'a', group: 'g', dueAt });
    await enqueue(jobs, 'other', { key: 'b', dueAt });
    expect((await rows()).map(({ data }) => data)).toEqual(['"second"', '"elsewhere"', '"other"']);
    const count = await platform().transactions.run((tx) => jobs.cancel(tx, testJob, ['a', 'c']));
    expect(count).toBe(2);
    platform().clock.aheadMs = HOUR_MS;
    await jobs.runDue();
    expect(done).toEqual(['other']);
  });

  it('that are replaced while they are being done come again, and only then', async () => {
    const { opened, open } = gate();
    let running = 0;
    const jobs = await start({
      concurrency: 2,
      work: async ({ data }) => {
        expect(++running).toBe(1);
        if (data === 'old') await opened;
        done.push(data);
        running -= 1;
      },
    });
    await enqueue(jobs, 'old', { key: 'a' });
    await until(() => running > 0);
    await enqueue(jobs, 'new', { key: 'a' });
    await moment(50);
    open();
    await until(() => done.length === 2);
    await jobs.runDue();
    expect(done).toEqual(['old', 'new']);
    await expect(rows()).resolves.toEqual([]);
  });

  it('run so many at once, and so many of a group', async () => {
    const { opened, open } = gate();
    const begun: string[] = [];
    const jobs = await start({
      concurrency: 5,
      groupConcurrency: 2,
      work: async ({ data }) => {
        begun.push(data);
        await opened;
      },
    });
    for (let n = 0; n < 4; n++) await enqueue(jobs, `a${n}`, { group: 'a' });
    for (let n = 0; n < 4; n++) await enqueue(jobs, `b${n}`, { group: 'b' });
    await until(() => begun.length >= 4);
    await moment(50);
    expect([...begun].sort()).toEqual(['a0', 'a1', 'b0', 'b1']);
    for (let n = 0; n < 4; n++) await enqueue(jobs, `c${n}`, { group: 'c' });
    await until(() => begun.length >= 5);
    await moment(50);
    expect(begun.slice(4)).toEqual(['c0']);
    open();
    await jobs.runDue();
    expect(begun).toHaveLength(12);
  });

  it('of a group keep their order where it is asked for, retries included, and hold up no other group', async () => {
    let fails = true;
    const jobs = await start({
      concurrency: 4,
      orderedByGroup: true,
      retry: { delaysMs: [1_000] },
      work: async ({ data }) => {
        if (data === 'a0' && fails) throw new Error('Not yet.');
        done.push(data);
      },
    });
    for (let n = 0; n < 3; n++) await enqueue(jobs, `a${n}`, { group: 'a' });
    await enqueue(jobs, 'b0', { group: 'b' });
    await jobs.runDue();
    expect(done).toEqual(['b0']);
    fails = false;
    platform().clock.aheadMs = 1_000;
    await jobs.runDue();
    expect(done).toEqual(['b0', 'a0', 'a1', 'a2']);
  });

  it('that fail are retried, later each time, and given up in the end', async () => {
    let attempts = 0;
    const jobs = await start({
      retry: { delaysMs: [5_000, 30_000] },
      work: async ({ attempt }) => {
        expect(attempt).toBe(++attempts);
        throw new Error(`attempt ${attempt}`);
      },
    });
    const { clock } = platform();
    await enqueue(jobs, 'x');
    await jobs.runDue();
    await expect(rows()).resolves.toEqual([{ data: '"x"', attempts: 1, last_error: 'attempt 1' }]);
    for (const [ms, count] of [
      [4_000, 1],
      [1_000, 2],
      [29_000, 2],
      [1_000, 3],
    ] as const) {
      clock.aheadMs += ms;
      await jobs.runDue();
      expect(attempts).toBe(count);
    }
    expect(failures).toEqual([new Error('attempt 3')]);
    await expect(rows()).resolves.toEqual([]);
  });

  it('that fail do not wait longer where the clock is put back meanwhile', async () => {
    let attempts = 0;
    const jobs = await start({
      retry: { delaysMs: [60_000] },
      work: () => (++attempts === 1 ? Promise.reject(new Error('Not yet.')) : Promise.resolve()),
    });
    await enqueue(jobs, 'x');
    await jobs.runDue();
    for (const [aheadMs, count] of [
      [30_000, 1],
      [-HOUR_MS, 2],
    ] as const) {
      platform().clock.aheadMs = aheadMs;
      await jobs.runDue();
      expect(attempts).toBe(count);
    }
    await expect(rows()).resolves.toEqual([]);
  });

  it('may be retried for a time, and not at all where it would be no use', async () => {
    let attempts = 0;
    const jobs = await start({
      retry: { delaysMs: [10_000], forMs: 60_000 },
      work: async ({ data }) => {
        attempts += 1;
        throw data === 'bad' ? new UnrecoverableError('Never.') : new Error('No.');
      },
    });
    await enqueue(jobs, 'slow');
    for (let n = 0; n < 10; n++) {
      await jobs.runDue();
      platform().clock.aheadMs += 10_000;
    }
    expect(attempts).toBe(6);
    await enqueue(jobs, 'bad');
    await jobs.runDue();
    expect(attempts).toBe(7);
    expect(failures).toEqual([new Error('No.'), new UnrecoverableError('Never.')]);
  });

  it('keep how far they came, and end with what they come to', async () => {
    const { transactions, database } = platform();
    const jobs = await start({
      retry: { delaysMs: [0, 0] },
      work: async (job) => {
        done.push(job.data);
        if (job.attempt === 1) {
          await job.save('half');
          throw new Error('Halfway.');
        }
        const lost = transactions.run(async (tx) => {
          await job.complete(tx);
          throw new Error('No.');
        });
        await expect(lost).rejects.toThrow('No.');
        await transactions.run(async (tx) => {
          if (await job.complete(tx)) await tx.query("INSERT INTO note (text) VALUES ('end')");
        });
        await expect(rows()).resolves.toEqual([]);
      },
    });
    await enqueue(jobs, 'begun');
    await jobs.runDue();
    expect(done).toEqual(['begun', 'half']);
    await expect(database.read.query('SELECT text FROM note')).resolves.toEqual([{ text: 'end' }]);
  });

  it('that were cancelled while they were being done do not end', async () => {
    const { opened, open } = gate();
    let isBegun = false;
    const jobs = await start({
      work: async (job) => {
        isBegun = true;
        await opened;
        done.push(`${await job.save('x')} ${await platform().transactions.run((tx) => job.complete(tx))}`);
      },
    });
    await enqueue(jobs, 'x', { key: 'k' });
    await until(() => isBegun);
    await platform().transactions.run((tx) => jobs.cancel(tx, testJob, ['k']));
    open();
    await jobs.runDue();
    await enqueue(jobs, 'y', { key: 'k' });
    await jobs.runDue();
    expect(done).toEqual(['false false', 'true true']);
  });

  it('are told when their time is over, and retried', async () => {
    const jobs = await start({
      timeoutMs: 50,
      retry: { delaysMs: [HOUR_MS] },
      work: async ({ signal }) => {
        await once(signal, 'abort');
        signal.throwIfAborted();
      },
    });
    await enqueue(jobs, 'slow');
    await jobs.runDue();
    await expect(rows()).resolves.toEqual([{ data: '"slow"', attempts: 1, last_error: 'it took too long' }]);
  });

  it('end when the node stops, after some time or at once, and another one does them', async () => {
    for (const stopsAtOnce of [true, false]) {
      const reasons: unknown[] = [];
      const work: Handler['work'] = async ({ signal }) => {
        reasons.push(null);
        await once(signal, 'abort');
        reasons.push(signal.reason);
        throw signal.reason;
      };
      const jobs = await start({ stopsAtOnce, work }, platform(), new Metrics(), stopsAtOnce ? 3_600 : 0.2);
      await enqueue(jobs, 'unfinished');
      await until(() => reasons.length > 0);
      const since = performance.now();
      await jobs.onModuleDestroy();
      expect(reasons).toEqual([null, new JobInterrupted('stop')]);
      if (!stopsAtOnce) expect(performance.now() - since).toBeGreaterThanOrEqual(199);
      await expect(rows()).resolves.toEqual([{ data: '"unfinished"', attempts: 0, last_error: null }]);
      const other = await start();
      await other.runDue();
      await other.onModuleDestroy();
    }
    expect(done).toEqual(['unfinished', 'unfinished']);
  });

  it('are each done by one of two nodes', async () => {
    const other = engine === 'postgres' ? await platform().anotherNode() : platform();
    const byNode = [new Set<string>(), new Set<string>()];
    const handler = (node: number): Partial<Handler> => ({
      concurrency: 3,
      work: async ({ data }) => {
        done.push(data);
        byNode[node]?.add(data);
        await moment(Math.random() * 3);
      },
    });
    const both = [await start(handler(0)), await start(handler(1), other)] as const;
    const wanted = Array.from({ length: 60 }, (_, n) => `${n}`);
    await Promise.all(wanted.map((data, n) => enqueue(both[n % 2] as Jobs, data)));
    while ((await rows()).length > 0) await Promise.all(both.map((jobs) => jobs.runDue()));
    expect([...done].sort()).toEqual([...wanted].sort());
    expect(Math.min(...byNode.map(({ size }) => size))).toBeGreaterThan(0);
    for (const node of nodes.splice(0)) await node.onModuleDestroy();
    if (other !== platform()) await other.stop();
  });

  it('keep their order on two nodes', async () => {
    const other = engine === 'postgres' ? await platform().anotherNode() : platform();
    const handler = { orderedByGroup: true, concurrency: 3 };
    const both = [await start(handler), await start(handler, other)] as const;
    const wanted = Array.from({ length: 30 }, (_, n) => `${n}`);
    for (const [n, data] of wanted.entries()) await enqueue(both[n % 2] as Jobs, data, { group: 'g' });
    while ((await rows()).length > 0) await Promise.all(both.map((jobs) => jobs.runDue()));
    expect(done).toEqual(wanted);
    for (const node of nodes.splice(0)) await node.onModuleDestroy();
    if (other !== platform()) await other.stop();
  });

  it('under a lease are left alone until it ends, also where the clock is put back', async () => {
    const { clock, transactions } = platform();
    const jobs = await start();
    const lease = (until: number) =>
      transactions.run((tx) =>
        tx.query("UPDATE job SET lease_owner = 'gone', lease_until = ?, attempts = 1", [until]),
      );
    const dueAt = clock.nowMs() - 2 * HOUR_MS;
    await transactions.run(async (tx) => {
      await jobs.enqueue(tx, { kind: testJob, data: 'left', dueAt });
      await tx.query("UPDATE job SET lease_owner = 'gone', lease_until = ?", [clock.nowMs() + 45_000]);
    });
    await jobs.runDue();
    clock.aheadMs = 30_000;
    await jobs.runDue();
    expect(done).toEqual([]);
    clock.aheadMs = 60_000;
    await jobs.runDue();
    expect(done).toEqual(['left']);
    await transactions.run(async (tx) => {
      await jobs.enqueue(tx, { kind: testJob, data: 'again', dueAt });
      await tx.query("UPDATE job SET lease_owner = 'gone', lease_until = ?", [clock.nowMs() + 45_000]);
    });
    await lease(clock.nowMs() + 45_000);
    clock.aheadMs = -HOUR_MS;
    await jobs.runDue();
    expect(done).toEqual(['left', 'again']);
  });

  it('of a node that is killed are done by another one', async () => {
    const database = await createTestDatabase(engine);
    const taker = fork(join(__dirname, '../support/job-taker.ts'), [], {
      // Of tsx, entities would not get the types of their columns.
      execArgv: ['-r', 'ts-node-for-development/register/transpile-only'],
      env: { ...process.env, ...database.env },
    });
    await once(taker, 'message');
    taker.kill('SIGKILL');
    await once(taker, 'exit');
    const survivor = await TestPlatform.start(database);
    const jobs = await start({}, survivor);
    await jobs.runDue();
    // A file has one process, so that its server knows at its start that the other one is gone.
    if (engine === 'postgres') {
      expect(done).toEqual([]);
      survivor.clock.aheadMs = 50_000;
      await jobs.runDue();
    }
    expect(done).toEqual(['left behind']);
    for (const node of nodes.splice(0)) await node.onModuleDestroy();
    await survivor.stop();
    await database.drop();
  });

  it('are counted by kind', async () => {
    const metrics = new Metrics();
    const jobs = await start(
      {
        work: async ({ data }) => {
          if (data === 'bad') throw new Error('No.');
        },
      },
      platform(),
      metrics,
    );
    for (const data of ['good', 'good', 'bad']) await enqueue(jobs, data);
    await jobs.runDue();
    const { clock } = platform();
    await enqueue(jobs, 'later', { dueAt: clock.nowMs() + HOUR_MS });
    const text = await metrics.registry.metrics();
    expect(text).toContain('parley_jobs_done_total{kind="test"} 2');
    expect(text).toContain('parley_jobs_failed_total{kind="test"} 1');
    expect(text).toContain('parley_jobs_waiting{kind="test"} 1');
    expect(text).toContain('parley_jobs_oldest_seconds{kind="test"} 0');
  });
});
