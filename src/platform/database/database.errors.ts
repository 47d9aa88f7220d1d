import { QueryFailedError } from 'typeorm';
import { StartRefused } from '../config/start-refused';
import { ApiError } from '../errors/api-error';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** More writes wait than can be answered in reasonable time, or the server is stopping. */
export class ServerBusy extends ApiError {
  constructor() {
    super('The server is busy. Please try again in a moment.', {
      code: 'SERVER_BUSY',
      status: 503,
      headers: { 'retry-after': '1' },
    });
  }
}

/** The commit did not happen, so nothing that was to share it was stored. */
export class CommitFailed extends Error {
  constructor(cause: unknown) {
    super('The change could not be stored.', { cause });
    this.name = 'CommitFailed';
  }
}

/** The work kept its transaction open for too long and was rolled back. */
export class TransactionTimedOut extends Error {
  constructor(limitMs: number) {
    super(`The transaction was rolled back because it was still open after ${limitMs} ms.`);
    this.name = 'TransactionTimedOut';
  }
}

/** A transaction was used after it ended, or ended while one of its statements was still running. */
export class TransactionMisused extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'TransactionMisused';
  }
}

/** Another process has the database file. */
export class DatabaseInUse extends StartRefused {
  constructor(file: string) {
    super(
      `The database file ${file} is in use by another process. ` +
        'Stop that process first: one process owns the file as long as it runs.',
    );
  }
}

/** The database, or the driver for it, cannot be had; the sentence says which and why. */
export class DatabaseUnavailable extends StartRefused {
  constructor(sentence: string, cause: unknown) {
    super(`${sentence} (${cause instanceof Error ? cause.message : String(cause)})`);
  }
}

/** The code that the driver of the engine gave to an error, such as `23505` or `SQLITE_FULL`; otherwise undefined. */
export function driverCode(error: unknown): string | undefined {
  const { code } = (error instanceof QueryFailedError ? error.driverError : (error ?? {})) as {
    code?: unknown;
  };
  return typeof code === 'string' ? code : undefined;
}

/** Whether a statement failed because a unique index already holds the value. */
export function isUniqueViolation(error: unknown): boolean {
  const code = driverCode(error);
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/** Whether PostgreSQL refused a transaction for the sake of another one, so that it may go through when repeated. */
export function isConflict(error: unknown): boolean {
  const code = driverCode(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}
