import { existsSync, renameSync, rmSync } from 'node:fs';
import type { SqliteDriver } from './sqlite-driver';

/** Where a database file is kept once everything in it is in another database. */
export function leftFile(file: string): string {
  return `${file}.moved`;
}

/**
 * Renames a database file so that no server uses it by mistake. The caller holds the lock on the file, and has no open
 * connection to it.
 */
export function leaveFile({ Connection }: SqliteDriver, file: string): void {
  const connection = new Connection(file);
  // Makes the file complete without its WAL, even if another process has it open.
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
  rmSync(leftFile(file), { force: true });
  renameSync(file, leftFile(file));
  // Drivers may cache closed connections, with these files. They are useless without the main file.
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, leftFile(file) + suffix);
  }
}
