import type { DataSource } from 'typeorm';
import { SETTLE_LOG_AND_LOCK } from '../../events/event-log.service';
import type { OpenView, ViewOpener } from './database-snapshot';
import { declareInTransaction } from '../query-runner';
import { connect, sendTogether } from '../postgres/postgres-client';

/** The first statement of the transaction, so it also opens the view. */
const POSITION = `
  SELECT (SELECT COALESCE(MAX(number), 0) FROM event_log) AS "eventNumber", version AS "directoryVersion"
  FROM directory_version WHERE id = 1`;

interface Position {
  readonly eventNumber: number;
  readonly directoryVersion: number;
}

/**
 * Views on PostgreSQL: transactions that read. A view opens while no number of an event is under way
 * (docs/decisions/0003-event-numbers.md), so the highest one in it is exactly where it stands.
 */
export class PostgresViews implements ViewOpener {
  constructor(
    private readonly writeSource: DataSource,
    private readonly readSource: DataSource,
    private readonly begin: string,
  ) {}

  async open(): Promise<OpenView> {
    const runner = this.readSource.createQueryRunner();
    try {
      // Before the lock, as getting one may take a while.
      const client = await connect(runner);
      const [position] = await this.whileSettled(() =>
        sendTogether<Position>(client, [this.begin, POSITION]),
      );
      declareInTransaction(runner);
      const end = async () => {
        // Where the connection is gone, so is the view.
        await client.query('ROLLBACK').catch(() => undefined);
        await runner.release();
      };
      return { runner, ...(position as Position), end };
    } catch (error) {
      await runner.query('ROLLBACK').catch(() => undefined);
      await runner.release();
      throw error;
    }
  }

  /** Runs the work while no event number is uncommitted. */
  private async whileSettled<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.writeSource.createQueryRunner();
    try {
      const client = await connect(runner);
      try {
        await sendTogether(client, SETTLE_LOG_AND_LOCK);
        return await work();
      } finally {
        // Commits, or rolls back what failed.
        await client.query('COMMIT');
      }
    } finally {
      await runner.release();
    }
  }
}
