import type { DataSource } from 'typeorm';
import type { OpenView, ViewOpener } from './database-snapshot';
import { type SqliteReadThread, threadRunner } from '../sqlite/sqlite-read-thread';

/** The first statement of the transaction, so it also opens the view. There is one writer, so numbers are in order. */
const POSITION = `
  SELECT (SELECT COALESCE(MAX(number), 0) FROM event_log) AS eventNumber, version AS directoryVersion
  FROM directory_version WHERE id = 1`;

interface Position {
  readonly eventNumber: number;
  readonly directoryVersion: number;
}

/** Snapshots on SQLite: read transactions, each on its own connection, in one shared thread. */
export class SqliteViews implements ViewOpener {
  /** Connections on which nothing is open. */
  private readonly free: number[] = [];
  private slots = 0;

  constructor(
    private readonly thread: SqliteReadThread,
    private readonly source: DataSource,
  ) {}

  async open(): Promise<OpenView> {
    // When this thread ends, so does the view: another one would know nothing of the transaction.
    const running = this.thread.running();
    const slot = this.free.pop() ?? this.slots++;
    const end = async () => {
      const isFree = await running.query(slot, 'ROLLBACK').then(
        () => true,
        () => running.hasEnded,
      );
      if (isFree) this.free.push(slot);
    };
    try {
      await running.query(slot, 'BEGIN');
      const [position] = await running.query(slot, POSITION);
      const runner = threadRunner(this.source, (text, values) => running.query(slot, text, values));
      return { runner, ...(position as Position), end };
    } catch (error) {
      await end();
      throw error;
    }
  }
}
