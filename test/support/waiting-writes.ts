import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import type { TestApp } from './test-app';

/** Waits until this many writes were submitted besides the transaction that the caller keeps open. */
export async function untilWritesAreIn(app: TestApp, count = 1): Promise<void> {
  while (app.get(TransactionService).load.waiting <= count) await pause(5);
}

/** Waits until this many of them are blocked: on PostgreSQL, until they wait for the caller's locks. */
export async function untilWritesWait(app: TestApp, count = 1): Promise<void> {
  await untilWritesAreIn(app, count);
  const { engine, read } = app.get(Database);
  if (engine === 'sqlite') return;
  const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await read.query(waiting)).length < count) await pause(5);
}
