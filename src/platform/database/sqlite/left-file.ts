import { existsSync, renameSync, rmSync } from 'node:fs';
import type { SqliteDriver } from './sqlite-driver';

/** Where a database file is kept once everything in it is in another database. */
export function leftFile(file: string): string {
  return `${file}.moved`;
}

/**
 * Gives a database file the name under which no server goes on with it by mistake. To be called by whoever has the
 * lock on the file, with no connection to it open.
 */
export function leaveFile({ Connection }: SqliteDriver, file: string): void {
  const connection = new Connection(file);
  // The file is whole without the one beside it then, whoever may still have it open.
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
  rmSync(leftFile(file), { force: true });
  renameSync(file, leftFile(file));
  // A driver may keep what it closed, and these with it. Without the file nobody asks for them.
  for (const suffix of ['-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, leftFile(file) + suffix);
  }
}
