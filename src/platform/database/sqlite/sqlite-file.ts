import { type BigIntStats, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import type { SqliteConnection, SqliteDriver } from './sqlite-driver';
import { DatabaseFileGone, DatabaseInUse, driverCode } from '../database.errors';

/** The name of a database file once its contents are in another database. */
export function movedFile(file: string): string {
  return `${file}.moved`;
}

/**
 * Renames a database file so that no server uses it by mistake. The caller holds the lock on the file, and has no open
 * connection to it.
 */
export function setFileAside({ Connection }: SqliteDriver, file: string): void {
  const connection = new Connection(file);
  // Makes the file complete without its WAL, even if another process has it open.
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
  rmSync(movedFile(file), { force: true });
  renameSync(file, movedFile(file));
  // Drivers may cache closed connections, with these files. They are useless without the main file.
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, movedFile(file) + suffix);
  }
}

/**
 * Makes this process the only one that opens a database file. SQLite holds the lock on a file beside it, so the
 * operating system releases it however the process ends.
 */
export class SqliteOwnerLock {
  private constructor(private readonly connection: SqliteConnection) {}

  /** @throws {DatabaseInUse} when another process, or this one, already uses the file */
  static acquire(driver: SqliteDriver, file: string): SqliteOwnerLock {
    const connection = new driver.Connection(`${file}.lock`);
    try {
      connection.exec('PRAGMA busy_timeout = 0');
      connection.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      connection.close();
      throw driverCode(error) === 'SQLITE_BUSY' ? new DatabaseInUse(file) : error;
    }
    return new SqliteOwnerLock(connection);
  }

  release(): void {
    // libsql keeps a closed connection, and its locks, until it is garbage-collected.
    this.connection.exec('ROLLBACK');
    this.connection.close();
  }
}

/** Location of the database, which may have changed. */
export interface DatabasePlace {
  /** @throws {DatabaseFileGone} when the SQLite file is no longer where it was */
  assertInPlace(): void;
}

/** Identity of a file when the database was opened. */
interface KnownFile {
  readonly path: string;
  readonly identity: string;
}

/**
 * Checks that the open database files are still the ones at their paths. SQLite does not: it keeps writing to a file
 * that was deleted or moved, and acknowledged writes are lost when the process ends.
 */
export class SqliteFileWatch implements DatabasePlace {
  private files: readonly KnownFile[] = [];

  constructor(private readonly file: string) {}

  /**
   * Call it once an open connection has written, so that the write-ahead log exists; until then, the check always
   * passes.
   */
  begin(): void {
    this.files = [this.file, `${this.file}-wal`].flatMap((path) => {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      return found ? [{ path, identity: identityOf(found) }] : [];
    });
  }

  /** Takes a few microseconds. */
  assertInPlace(): void {
    for (const { path, identity } of this.files) {
      if (identityAt(path) !== identity) throw new DatabaseFileGone(this.file);
    }
  }
}

/** @returns null if the file does not exist */
function identityAt(path: string): string | null {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found ? identityOf(found) : null;
  } catch {
    return null;
  }
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
