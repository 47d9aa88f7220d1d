import { parentPort, workerData } from 'node:worker_threads';
import {
  type SqliteConnection,
  type SqliteStatement,
  loadSqliteDriver,
  type SqliteDriver,
} from './sqlite-driver';

/**
 * A thread that reads the SQLite file, started by `SqliteReadThread`. The drivers are synchronous: slow statements
 * block this thread, not the one that serves requests. Loads as little as possible.
 */

export interface ReadWorkerData {
  readonly driver: SqliteDriver['name'];
  readonly file: string;
  /** For each connection, in order. */
  readonly pragmas: readonly string[];
}

/** Start parameters of a thread. */
export interface StartedWith extends ReadWorkerData {
  /** Non-zero once the answers of this thread are no longer needed. */
  readonly givenUp: Int32Array;
}

/** A statement for the thread. */
export interface ReadRequest {
  readonly id: number;
  /** The connection of this thread to use; the first statement opens it. */
  readonly slot: number;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Outcome of the request with this ID. */
export type ReadAnswer =
  | {
      readonly id: number;
      readonly rows: Record<string, unknown>[];
      /** Columns with bytes, which lose their class in transit. */
      readonly blobColumns: readonly string[];
    }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: unknown } };

/** Sent once, before all answers: the thread has loaded its code and accepts requests. */
export type Ready = 'ready';

/** Sent instead of a request: close the connections and end. */
export type End = 'end';

const MAX_PREPARED = 500;

class SlotConnection {
  private readonly connection: SqliteConnection;
  private readonly prepared = new Map<string, SqliteStatement>();

  constructor({ driver, file, pragmas }: ReadWorkerData) {
    const { Connection } = loadSqliteDriver(driver);
    this.connection = new Connection(file);
    for (const pragma of pragmas) this.connection.pragma(pragma);
  }

  run(text: string, values: readonly unknown[]): Record<string, unknown>[] {
    const statement = this.statement(text);
    const parameters = values.map(bindable);
    if (statement.reader) return statement.all(...parameters);
    statement.run(...parameters);
    return [];
  }

  close(): void {
    this.connection.close();
  }

  private statement(text: string): SqliteStatement {
    const known = this.prepared.get(text);
    if (known) return known;
    const statement = this.connection.prepare(text);
    if (this.prepared.size >= MAX_PREPARED) this.prepared.clear();
    this.prepared.set(text, statement);
    return statement;
  }
}

/** A Buffer arrives as a plain byte array, which the drivers treat differently. */
function bindable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

function blobColumnsOf(rows: readonly Record<string, unknown>[]): string[] {
  const columns = new Set<string>();
  for (const row of rows) {
    for (const name in row) if (row[name] instanceof Uint8Array) columns.add(name);
  }
  return [...columns];
}

function answer(
  connections: Map<number, SlotConnection>,
  { id, slot, text, values }: ReadRequest,
): ReadAnswer {
  try {
    let connection = connections.get(slot);
    if (!connection) connections.set(slot, (connection = new SlotConnection(workerData as ReadWorkerData)));
    const rows = connection.run(text, values);
    return { id, rows, blobColumns: blobColumnsOf(rows) };
  } catch (error) {
    const { message, code } = error as { message: string; code?: unknown };
    return { id, error: { message, code } };
  }
}

const port = parentPort;
if (port) {
  const { givenUp } = workerData as StartedWith;
  const connections = new Map<number, SlotConnection>();
  port.on('message', (request: ReadRequest | End) => {
    if (request !== 'end' && Atomics.load(givenUp, 0) === 0) {
      return port.postMessage(answer(connections, request));
    }
    for (const connection of connections.values()) connection.close();
    port.close();
  });
  port.postMessage('ready' satisfies Ready);
}
