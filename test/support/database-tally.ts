import { AsyncLocalStorage } from 'node:async_hooks';
import type { Duplex } from 'node:stream';
import { Client } from 'pg';
import {
  loadSqliteDriver,
  type SqliteConnection,
  type SqliteStatement,
} from '../../src/platform/database/sqlite/sqlite-driver';
import { RunningReadThread } from '../../src/platform/database/sqlite/sqlite-read-thread';
import { sqliteDrivers } from './test-database';

/** An executed statement, with its parameter values in order. */
export interface RanStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The database work of one operation. */
export class DatabaseTally {
  /** Packets sent inside transactions; PostgreSQL only. */
  roundTrips = 0;
  /** Its own statements, including those around its transactions. */
  statements = 0;
  /** Statements shared by all concurrent requests: {@link SHARED}. */
  shared = 0;
  /** Rows inserted, changed or deleted inside transactions, including those of triggers and cascades. */
  rowsWritten = 0;
  /** All statements, in order. */
  readonly ran: RanStatement[] = [];
  /** Counts that are still to be read. */
  readonly pending: Promise<unknown>[] = [];
  /** Whether the operation was answered: work that it started but did not wait for does not count. */
  isOver = false;
  private hasCommitted = false;

  note({ text, values }: RanStatement, isInTransaction: boolean): void {
    const isReader = this.hasCommitted && READS_LOG.test(text);
    if (this.isOver || isReader) return;
    this.ran.push({ text, values });
    const isShared = SHARED.some((one) => one.test(text)) && !(isInTransaction && LOOKS.test(text));
    this[isShared ? 'shared' : 'statements']++;
    if (text === 'COMMIT') this.hasCommitted = true;
  }
}

/** Reads the version of the directories. */
const LOOKS = /^SELECT version FROM directory_version WHERE id = 1$/;

/** Also the round that settles the event log on PostgreSQL, and the start of a commit on SQLite. */
const SHARED = [LOOKS, /^BEGIN;[^]*UPDATE event_log_head/, /^BEGIN IMMEDIATE$/];

/** A commit wakes the reader of the log, which reads new rows once for all clients. */
const READS_LOG = /^SELECT number, created_at, type, payload\b[^]*\bFROM event_log\b/;

/** Follows the operation through everything that it awaits, which separates it from background work. */
const counting = new AsyncLocalStorage<DatabaseTally>();

/** Counts the database work of an operation until it is answered; requires {@link watchDatabase}. */
export async function tallyOf(work: () => Promise<unknown>): Promise<DatabaseTally> {
  const tally = new DatabaseTally();
  await counting.run(tally, work);
  tally.isOver = true;
  await Promise.all(tally.pending);
  return tally;
}

/** Call it before the server starts; `jest.restoreAllMocks` ends it. */
export function watchDatabase(): void {
  watchPostgres();
  for (const name of sqliteDrivers) watchSqlite(name);
  const query = RunningReadThread.prototype.query;
  jest.spyOn(RunningReadThread.prototype, 'query').mockImplementation(function (
    this: RunningReadThread,
    ...parameters
  ) {
    counting.getStore()?.note({ text: parameters[1], values: parameters[2] ?? [] }, false);
    return query.apply(this, parameters);
  });
}

/** Includes earlier transactions on the connection whose counts PostgreSQL has not flushed yet. */
const ROWS_WRITTEN =
  'SELECT SUM(n_tup_ins + n_tup_upd + n_tup_del)::integer AS rows FROM pg_stat_xact_all_tables';

type Send = (this: Client, ...parameters: unknown[]) => Promise<{ rows: { rows: number }[] }>;

function watchPostgres(): void {
  const send = Client.prototype.query as unknown as Send;
  const open = new WeakMap<Client, { tally: DatabaseTally; before: Promise<number> }>();
  const watched = new WeakSet<Client>();
  // Sent in the packet of the previous statement.
  const rowsWritten = async (client: Client) => (await send.call(client, ROWS_WRITTEN)).rows[0]?.rows ?? 0;

  const counted = function (this: Client, ...parameters: unknown[]): unknown {
    const tally = counting.getStore();
    if (!tally) return send.apply(this, parameters);
    const [first, values = []] = parameters as [string | { text: string; values?: unknown[] }, unknown[]?];
    const ran = typeof first === 'string' ? { text: first, values } : { values, ...first };
    const { text } = ran;
    const transaction = open.get(this);
    tally.note(ran, transaction !== undefined);
    if (text === 'BEGIN') {
      if (!watched.has(this)) watchPackets(this, () => open.get(this)?.tally);
      watched.add(this);
      const answer = send.apply(this, parameters);
      open.set(this, { tally, before: rowsWritten(this) });
      return answer;
    }
    if (transaction === undefined || !/^(COMMIT|ROLLBACK)$/.test(text)) return send.apply(this, parameters);
    const after = rowsWritten(this);
    const rows = Promise.all([transaction.before, after]);
    tally.pending.push(rows.then(([was, is]) => (tally.rowsWritten += is - was)));
    const answer = send.apply(this, parameters);
    // Its packet leaves at the end of this turn; the next transaction may have started by then.
    setImmediate(() => open.get(this) === transaction && open.delete(this));
    return answer;
  };
  jest.spyOn(Client.prototype, 'query').mockImplementation(counted);
}

function watchPackets(client: Client, tally: () => DatabaseTally | undefined): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  for (const method of ['_write', '_writev'] as const) {
    const write = stream[method] as (...parameters: unknown[]) => void;
    stream[method] = (...parameters: unknown[]) => {
      const current = tally();
      if (current && !current.isOver) current.roundTrips++;
      write.apply(stream, parameters);
    };
  }
}

function watchSqlite(name: (typeof sqliteDrivers)[number]): void {
  const own = loadSqliteDriver(name).Connection.prototype as SqliteConnection;
  // The program wraps libsql's class in its own.
  const owner = name === 'libsql' ? (Object.getPrototypeOf(own) as SqliteConnection) : own;
  const { prepare } = owner;
  jest.spyOn(owner, 'prepare').mockImplementation(function (this: SqliteConnection, sql: string) {
    const changes = prepare.call(this, 'SELECT total_changes() AS rows');
    const rowsSoFar = () => Number(changes.all()[0]?.['rows']);
    return countRuns(prepare.call(this, sql), (values, run) => {
      const tally = counting.getStore();
      if (!tally || tally.isOver) return run();
      // The program passes all values to libsql as one array.
      tally.note({ text: sql, values: values.flat() }, this.inTransaction);
      const before = rowsSoFar();
      const result = run();
      tally.rowsWritten += rowsSoFar() - before;
      return result;
    });
  });
}

function countRuns(
  statement: SqliteStatement,
  counted: <T>(values: readonly unknown[], run: () => T) => T,
): SqliteStatement {
  const all = statement.all.bind(statement);
  const run = statement.run.bind(statement);
  return Object.assign(statement, {
    all: (...parameters: unknown[]) => counted(parameters, () => all(...parameters)),
    run: (...parameters: unknown[]) => counted(parameters, () => run(...parameters)),
  });
}
