import { DatabaseInUse, driverCode } from '../database.errors';
import type { SqliteConnection, SqliteDriver } from './sqlite-driver';

/**
 * Makes this process the only one that opens a database file. The lock is one that SQLite holds on a
 * file beside it, so the system takes it away when the process ends, however it ends.
 */
export class SqliteOwnerLock {
  private constructor(private readonly connection: SqliteConnection) {}

  /** @throws {DatabaseInUse} when another process, or this one, already has the file */
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
    // libsql keeps a closed connection, and what it holds, until its garbage is collected.
    this.connection.exec('ROLLBACK');
    this.connection.close();
  }
}
