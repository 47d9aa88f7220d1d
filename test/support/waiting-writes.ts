import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import type { TestApp } from './test-app';

/** Waits until so many writes were handed in beside the transaction that the caller keeps open. */
export async function untilWritesAreIn(app: TestApp, count = 1): Promise<void> {
  while (app.get(TransactionService).load.waiting <= count) await pause(5);
}

/** Waits until so many of them can go no further: on PostgreSQL, until they wait for what the caller has locked. */
export async function untilWritesWait(app: TestApp, count = 1): Promise<void> {
  await untilWritesAreIn(app, count);
  const { engine, read } = app.get(Database);
  if (engine === 'sqlite') return;
  const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await read.query(waiting)).length < count) await pause(5);
}
