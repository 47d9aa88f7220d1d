import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import type { UnitOfWork, CompletedWork, WriteLoad, Writer, WriteRequest } from './unit-of-work';
import { ServerBusy } from '../../errors/request.errors';
import { IS_UNSETTLED, SETTLE_LOG } from '../../events/event-log.service';
import { Rounds } from '../../rounds';
import type { Statement } from '../../sql/queryable';
import { isConflict } from '../database.errors';
import type { Database } from '../database.service';
import { connect, gather, throughClient } from '../postgres/postgres-client';
import { LeanStatement } from '../postgres/lean-statement';
import { declareInTransaction, toDriver } from '../query-runner';

/** How long events of a node that died right after its commit may stay unread. */
const INTERVAL_MS = 5_000;

/** Settles event numbers, in one round for all transactions that commit in the meantime. */
export class PostgresSettler {
  private readonly logger = new Logger('EventLog');
  private runner: QueryRunner | undefined;
  private readonly rounds = new Rounds(() => this.round());
  private leftovers = Promise.resolve();
  private readonly timer: NodeJS.Timeout;

  /** @param source the settler keeps one connection of its pool */
  constructor(private readonly source: DataSource) {
    void this.rounds.join();
    this.timer = setInterval(() => {
      this.leftovers = this.settleLeftovers();
    }, INTERVAL_MS).unref();
  }

  /** Resolves once everything committed before the call is settled. Does not reject. */
  settle(): Promise<void> {
    return this.rounds.join();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.leftovers;
    await this.rounds.ended();
    await this.runner?.release();
  }

  private async settleLeftovers(): Promise<void> {
    try {
      const left = await this.source.query<unknown[]>(IS_UNSETTLED);
      if (left.length > 0) await this.settle();
    } catch (error) {
      this.logger.error(error);
    }
  }

  /** The next round makes up for a failed one, so its error is dropped. */
  private async round(): Promise<void> {
    try {
      const client = await this.client();
      await new LeanStatement(client, SETTLE_LOG).send().catch(async (error: unknown) => {
        // PostgreSQL skips the statements after a failed one in the same message.
        await client.query('ROLLBACK');
        throw error;
      });
    } catch (error) {
      this.logger.error(error);
    }
  }

  private async client(): Promise<PoolClient> {
    if (!this.runner || this.runner.isReleased) this.runner = this.source.createQueryRunner();
    try {
      return (await this.runner.connect()) as PoolClient;
    } catch (error) {
      // A broken connection would fail the same way forever.
      this.runner = undefined;
      throw error;
    }
  }
}

/** Executes writes on PostgreSQL: concurrently, on a pool of connections. */
export class PostgresWriter implements Writer {
  private readonly open = new Set<{ readonly since: number; readonly answered: Promise<unknown> }>();
  private lastExclusive: Promise<unknown> = Promise.resolve();
  private readonly settler: PostgresSettler;
  private isClosed = false;

  constructor(
    private readonly database: Database,
    private readonly unit: UnitOfWork,
  ) {
    this.settler = new PostgresSettler(database.writeSource);
  }

  get load(): WriteLoad {
    const [oldest] = this.open;
    return { waiting: this.open.size, longestWaitMs: oldest ? performance.now() - oldest.since : 0 };
  }

  async submit<T>(write: WriteRequest<T>): Promise<CompletedWork<T>> {
    if (this.isClosed || this.open.size >= this.database.limits.maxWaiting) throw new ServerBusy();
    const answered = write.isExclusive ? this.afterOtherExclusives(write) : this.withRetries(write);
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
    await this.settler.close();
  }

  /** They wait for each other in the database anyway; queued here, they occupy one connection instead of all. */
  private afterOtherExclusives<T>(write: WriteRequest<T>): Promise<CompletedWork<T>> {
    const answered = this.lastExclusive.then(() => this.withRetries(write));
    this.lastExclusive = answered.catch(() => undefined);
    return answered;
  }

  private async withRetries<T>(write: WriteRequest<T>): Promise<CompletedWork<T>> {
    for (let attempt = 1; ; attempt++) {
      try {
        const done = await this.attempt(write);
        // Once answered, the caller can read the events of the work.
        if (done.log.lastNumber > 0) await this.settler.settle();
        await this.unit.committed([done], this.database.read);
        return done;
      } catch (error) {
        if (!isConflict(error) || attempt >= this.database.limits.maxAttempts) throw error;
        // Random, so that conflicting transactions do not collide again.
        await pause(Math.random() * 10 * 2 ** attempt);
      }
    }
  }

  private async attempt<T>(write: WriteRequest<T>): Promise<CompletedWork<T>> {
    const runner = this.database.writeSource.createQueryRunner();
    try {
      const client = await connect(runner);
      declareInTransaction(runner);
      // Sent together with the first statement of the work.
      gather(client);
      const begun = new LeanStatement(client, this.database.begin).send();
      const connection = { runner, send: throughClient(client), isTransactionOpen: () => true };
      const [, performed] = await Promise.allSettled([begun, this.unit.perform(write, connection)]);
      if (performed.status === 'rejected') {
        // If the connection is gone, so is the transaction; the first error is the one to report.
        await client.query('ROLLBACK').catch(() => undefined);
        throw performed.reason;
      }
      await begun;
      await commit(client, performed.value);
      return performed.value;
    } finally {
      await runner.release();
    }
  }
}

/**
 * Pipelines the remaining statements, the event rows and the COMMIT, so that event numbers stay uncommitted as briefly
 * as possible. After a failed statement, PostgreSQL answers the COMMIT by rolling back, so every answer is checked.
 */
async function commit(client: PoolClient, { lastStatements, log }: CompletedWork<unknown>): Promise<void> {
  gather(client);
  const send = throughClient(client);
  const sendAll = (statements: readonly Statement[]) =>
    statements.map(({ sql, parameters }) => {
      const { text, values } = toDriver('postgres', sql, parameters);
      return send(text, values);
    });
  const last = sendAll(lastStatements);
  const rows = sendAll(log.statements);
  const answers = await Promise.allSettled([...last, ...rows, new LeanStatement(client, 'COMMIT').send()]);
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  for (const written of await Promise.all(rows)) log.written(written);
}
