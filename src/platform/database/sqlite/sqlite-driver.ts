import { isAnyArrayBuffer } from 'node:util/types';
import { DatabaseUnavailable } from '../database.errors';

/** A prepared statement, as far as TypeORM and we use it. */
export interface SqliteStatement {
  readonly reader: boolean;
  all(...parameters: unknown[]): Record<string, unknown>[];
  run(...parameters: unknown[]): unknown;
}

/** A connection, as far as TypeORM and we use it. Everything is synchronous. */
export interface SqliteConnection {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  pragma(source: string): unknown;
  close(): void;
}

/** The class that both drivers export. */
export type SqliteConnectionClass = new (file: string, options?: { timeout?: number }) => SqliteConnection;

/** The available driver, and its class. */
export interface SqliteDriver {
  readonly name: 'better-sqlite3' | 'libsql';
  readonly Connection: SqliteConnectionClass;
}

/**
 * The drivers to try, in order. `auto` prefers better-sqlite3 if its binary works, then libsql, whose binary is part of
 * the npm package. Since Node.js 24.19 the order is reversed: better-sqlite3 compiled with the headers of such a
 * version crashes the process when statements are garbage-collected between two tasks. A release contains a binary
 * compiled without that, and no libsql.
 * @param version of Node.js, such as `24.21.0`
 */
export function driversToTry(
  wanted: 'auto' | SqliteDriver['name'],
  version = process.versions.node,
): readonly SqliteDriver['name'][] {
  if (wanted !== 'auto') return [wanted];
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const endsProcess = major > 24 || (major === 24 && minor >= 19);
  return endsProcess ? ['libsql', 'better-sqlite3'] : ['better-sqlite3', 'libsql'];
}

/**
 * Loads the first available driver.
 * @throws {DatabaseUnavailable} if none loads
 */
export function loadSqliteDriver(wanted: 'auto' | SqliteDriver['name']): SqliteDriver {
  const names = driversToTry(wanted);
  let failure: unknown;
  for (const name of names) {
    try {
      return { name, Connection: name === 'libsql' ? loadLibsql() : loadBetterSqlite3() };
    } catch (error) {
      failure = error;
    }
  }
  throw new DatabaseUnavailable(`The driver ${names.at(-1)} cannot be loaded.`, failure);
}

function loadBetterSqlite3(): SqliteConnectionClass {
  const Connection = requirePackage('better-sqlite3');
  // The binary is loaded only when a connection opens.
  new Connection(':memory:').close();
  return Connection;
}

/**
 * libsql crashes the process when a statement has a lone Buffer or NULL as its parameters, or a value of an unknown
 * type, and returns blobs as ArrayBuffer. This makes it behave like better-sqlite3.
 */
function loadLibsql(): SqliteConnectionClass {
  const Libsql = requirePackage('libsql');
  return class LibsqlConnection extends Libsql {
    override prepare(sql: string): SqliteStatement {
      const statement = super.prepare(sql);
      const all = statement.all.bind(statement);
      const run = statement.run.bind(statement);
      return Object.assign(statement, {
        all: (...parameters: unknown[]) => all(bindable(parameters)).map(withBuffers),
        run: (...parameters: unknown[]) => run(bindable(parameters)),
      });
    }
  };
}

function requirePackage(name: SqliteDriver['name']): SqliteConnectionClass {
  // An optional dependency, and only one of the two is wanted in memory.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded at run time, see above
  return require(name) as SqliteConnectionClass;
}

function bindable(parameters: unknown[]): unknown[] {
  for (const value of parameters) {
    const known = value === null || ['number', 'string', 'bigint'].includes(typeof value);
    if (!known && !Buffer.isBuffer(value))
      throw new TypeError(`SQLite cannot store a value of type ${typeof value}.`);
  }
  return parameters;
}

function withBuffers(row: Record<string, unknown>): Record<string, unknown> {
  for (const key in row) {
    const value = row[key];
    if (isAnyArrayBuffer(value)) row[key] = Buffer.from(value);
  }
  return row;
}
