import { Logger } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';
import type { EventLogWriter } from '../events/event-log-writer';
import type { Directories } from '../events/directories';
import type { WakeUp } from '../events/wake-up';
import { TransactionTimedOut, isConflict } from './database.errors';
import type { Database } from './database.service';
import type { Queryable } from '../sql/queryable';
import { RunnerQueryable } from './runner-queryable';
import { StatementGuard } from './statement-guard';
import { type CommitAction, OpenTransaction } from './transaction';
import type { Job, WorkDone } from './writer';

/** What happens in every transaction, whatever the engine: around the work, and after the commit. */
export class UnitOfWork {
  private readonly logger = new Logger('Transactions');

  constructor(
    private readonly database: Database,
    private readonly log: EventLogWriter,
    private readonly directories: Directories,
    private readonly wakeUp: WakeUp,
  ) {}

  /**
   * Runs the work on a connection with an open transaction.
   * @param isOpen whether the transaction survived a failed statement
   */
  async perform<T>(job: Job<T>, runner: QueryRunner, isOpen: () => boolean): Promise<WorkDone<T>> {
    const { engine, writeSource } = this.database;
    const guard = new StatementGuard(runner, isOpen);
    const tx = new OpenTransaction(engine, writeSource, guard, job.isExclusive);
    const value = await this.runWork(job, tx, guard);
    const db = new RunnerQueryable(engine, writeSource, runner);
    const change = tx.touched.size > 0 ? await this.directories.recordChange(db, tx.touched) : null;
    const emissions = change ? [change.emission, ...tx.emissions] : tx.emissions;
    const log = await this.log.prepare(db, emissions);
    return { value, log, change, commitActions: tx.commitActions };
  }

  /**
   * To be called after a commit, with all that it holds. Does not throw: what is stored is stored.
   * @param db a connection on which nothing is open
   */
  async committed(stored: readonly WorkDone<unknown>[], db: Queryable): Promise<void> {
    let lastNumber = 0;
    try {
      for (const { log, change } of stored) {
        this.log.committed(log);
        lastNumber = Math.max(lastNumber, log.lastNumber);
        if (change) await this.directories.applyCommitted(db, change, log.lastNumber);
      }
      if (lastNumber > 0) this.wakeUp.announce(lastNumber);
    } catch (error) {
      this.logger.error(error);
    }
  }

  /**
   * Does what the work left for after the commit, while other writes go on. Does not reject: what is stored is
   * stored.
   */
  async act(actions: readonly CommitAction[]): Promise<void> {
    for (const action of actions) {
      try {
        await action();
      } catch (error) {
        this.logger.error(error);
      }
    }
  }

  private async runWork<T>(job: Job<T>, tx: OpenTransaction, guard: StatementGuard): Promise<T> {
    let value: T;
    try {
      if (job.isExclusive) await this.directories.beginExclusive(tx);
      value = await withinTime(job.work(tx), job.limitMs ?? this.database.limits.maxTransactionMs);
    } catch (error) {
      await guard.abandon();
      // The work may have put an error of its own in the place of one that is worth a retry.
      throw isConflict(guard.failure) ? guard.failure : error;
    }
    await guard.finish();
    return value;
  }
}

async function withinTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TransactionTimedOut(limitMs)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
