import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { QueryRunner } from 'typeorm';
import { ServerBusy, isConflict } from './database.errors';
import type { Database } from './database.service';
import { toDriver } from './placeholders';
import type { UnitOfWork, WorkDone } from './unit-of-work';
import type { Job, WriteLoad, Writer } from './writer';

/** The pool has no code for it. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';

/** Carries out writes on PostgreSQL: side by side, on a pool of connections. */
export class PostgresWriter implements Writer {
  private readonly open = new Set<{ readonly since: number; readonly answered: Promise<unknown> }>();
  private lastExclusive: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly database: Database,
    private readonly unit: UnitOfWork,
  ) {}

  get load(): WriteLoad {
    const [oldest] = this.open;
    return { waiting: this.open.size, longestWaitMs: oldest ? performance.now() - oldest.since : 0 };
  }

  async submit<T>(job: Job<T>): Promise<T> {
    if (this.isClosed || this.open.size >= this.database.limits.maxWaiting) throw new ServerBusy();
    const answered = job.isExclusive ? this.afterOtherExclusives(job) : this.withRetries(job);
    const entry = { since: performance.now(), answered };
    this.open.add(entry);
    try {
      return await answered;
    } finally {
      this.open.delete(entry);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled([...this.open].map((entry) => entry.answered));
  }

  /** They wait for each other in the database anyway; waiting here, they occupy one connection instead of all. */
  private afterOtherExclusives<T>(job: Job<T>): Promise<T> {
    const answered = this.lastExclusive.then(() => this.withRetries(job));
    this.lastExclusive = answered.catch(() => undefined);
    return answered;
  }

  private async withRetries<T>(job: Job<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const done = await this.attempt(job);
        await this.unit.committed([done]);
        return done.value;
      } catch (error) {
        if (!isConflict(error) || attempt >= this.database.limits.maxAttempts) throw error;
        // At random, so that those who got in each other's way do not do so again.
        await pause(Math.random() * 10 * 2 ** attempt);
      }
    }
  }

  private async attempt<T>(job: Job<T>): Promise<WorkDone<T>> {
    const runner = this.database.writeSource.createQueryRunner();
    try {
      await connect(runner);
      await runner.startTransaction();
      const done = await this.unit.perform(job, runner, () => true);
      await this.commit(runner, done);
      return done;
    } catch (error) {
      // Where the connection is gone, so is the transaction; the first error is the one to tell.
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /**
   * Sends the event rows and the COMMIT in one go, without waiting for answers in between: the lock that
   * orders the log is held from the first to the last of them. PostgreSQL answers the COMMIT after a
   * failed row by rolling back, so every answer counts.
   */
  private async commit(runner: QueryRunner, done: WorkDone<unknown>): Promise<void> {
    const client = (await runner.connect()) as PoolClient;
    const rows = done.log.statements.map(({ sql, parameters }) => {
      const { text, values } = toDriver('postgres', sql, parameters);
      return client.query<{ number: number }>(text, values);
    });
    const committed = runner.commitTransaction();
    const answers = await Promise.allSettled([...rows, committed]);
    const refused = answers.find((answer) => answer.status === 'rejected');
    if (refused) throw refused.reason;
    for (const row of rows) done.log.written((await row).rows);
  }
}

async function connect(runner: QueryRunner): Promise<void> {
  try {
    await runner.connect();
  } catch (error) {
    throw error instanceof Error && error.message === POOL_EXHAUSTED ? new ServerBusy() : error;
  }
}
