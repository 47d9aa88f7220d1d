import { StartRefused } from '../config/start-refused';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const FOREIGN_KEY_VIOLATION = '23503';
const TRANSACTION_ABORTED = '25P02';

/** The commit failed, so nothing in it was stored. */
export class CommitFailed extends Error {
  constructor(cause: unknown) {
    super('The change could not be stored.', { cause });
    this.name = 'CommitFailed';
  }
}

/** The work kept its transaction open too long and was rolled back. */
export class TransactionTimedOut extends Error {
  constructor(limitMs: number) {
    super(`The transaction was rolled back because it was still open after ${limitMs} ms.`);
    this.name = 'TransactionTimedOut';
  }
}

/** Thrown by work that finds that it has to change directories, to restart it in an exclusive transaction. */
export class NeedsExclusive extends Error {
  constructor() {
    super('This change needs an exclusive transaction.');
    this.name = 'NeedsExclusive';
  }
}

/** A transaction was used after it ended, or ended while one of its statements was still running. */
export class TransactionMisused extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'TransactionMisused';
  }
}

/** A snapshot of the database was used after it ended. */
export class SnapshotEnded extends Error {
  constructor(reason: string) {
    super(`The snapshot of the database is no longer open. ${reason}`);
    this.name = 'SnapshotEnded';
  }
}

/** An injected repository was asked to write. */
export class WriteThroughReads extends Error {
  constructor(statement: string) {
    super(`Injected repositories only read; write through a transaction: ${statement}`);
    this.name = 'WriteThroughReads';
  }
}

/** The thread ended before it answered a query. */
export class ReadThreadEnded extends Error {
  constructor(cause: unknown) {
    super(
      `The thread that reads the database ended. (${cause instanceof Error ? cause.message : String(cause)})`,
      {
        cause,
      },
    );
    this.name = 'ReadThreadEnded';
  }
}

/** The thread was ended because of a slow statement; another one can run the statements queued behind it. */
export class ReadThreadReplaced extends ReadThreadEnded {}

/** Another process uses the database file. */
export class DatabaseInUse extends StartRefused {
  constructor(file: string) {
    super(
      `The database file ${file} is in use by another process. ` +
        'Stop that process first; only one process can use the file.',
    );
  }
}

/** The database file was deleted, moved or replaced while the server had it open. */
export class DatabaseFileGone extends Error {
  /** SQLite's own code for this case. */
  readonly code = 'SQLITE_READONLY_DBMOVED';

  constructor(file: string) {
    super(
      `The database file ${file} was deleted, moved or replaced while the server was running. ` +
        'No writes are stored. Put the file back, or stop the server and restore a backup.',
    );
    this.name = 'DatabaseFileGone';
  }
}

/** A newer release has changed the tables in ways unknown to this one. */
export class DatabaseTooNew extends StartRefused {
  constructor(unknown: readonly string[]) {
    super(
      `The database was used by a newer release of Parley (migrations ${unknown.join(', ')}). Run that release, or ` +
        'restore a backup from before the upgrade.',
    );
  }
}

/** A newer version of a module has used its tables, or the module has tables that are not its own. */
export class ModuleTablesRefused extends StartRefused {
  constructor(module: string, reason: string) {
    super(`The module ${module} cannot use this database: ${reason}`);
  }
}

/** A PostgreSQL tool failed; the message says why. */
export class DumpFailed extends StartRefused {}

/** The database or its driver is unavailable; the message says which and why. */
export class DatabaseUnavailable extends StartRefused {
  constructor(sentence: string, cause: unknown) {
    super(`${sentence} (${cause instanceof Error ? cause.message : String(cause)})`);
  }
}

/** The driver's code for an error, such as `23505` or `SQLITE_FULL`; undefined for other errors. */
export function driverCode(error: unknown): string | undefined {
  // Checked by shape, so that a thread that loads this file does not load TypeORM.
  const { driverError = error } = (error ?? {}) as { driverError?: unknown };
  const { code } = (driverError ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/**
 * Advice for the operator on a database file that does not open.
 * @param code from {@link driverCode}
 * @returns undefined if the file is not the cause
 */
export function sqliteFileTrouble(code: string | undefined, file: string): string | undefined {
  const [, trouble] =
    /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|FULL|IOERR|NOTADB|CORRUPT)/.exec(code ?? '') ?? [];
  switch (trouble) {
    case undefined:
      return undefined;
    case 'FULL':
      return `The disk of ${file} is full. Free some space and start again.`;
    case 'IOERR':
      return `Cannot read or write ${file}. Check that its disk is mounted, healthy and not full.`;
    case 'NOTADB':
    case 'CORRUPT':
      return `${file} is damaged or not a database. Move the data folder away and restore a backup.`;
    default:
      return `This user cannot write ${file} and the files next to it. Run this as their owner.`;
  }
}

/** Whether a statement failed because a unique index already contains the value. */
export function isUniqueViolation(error: unknown): boolean {
  const code = driverCode(error);
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/**
 * Whether PostgreSQL aborted a transaction because of a concurrent one, so that a retry may succeed. This includes
 * references to a row that was deleted concurrently: on a retry, the work sees that the row is gone.
 */
export function isConflict(error: unknown): boolean {
  const code = driverCode(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED || code === FOREIGN_KEY_VIOLATION;
}

/** Whether PostgreSQL refused a statement only because an earlier one in the same transaction had failed. */
export function followsFailure(error: unknown): boolean {
  return driverCode(error) === TRANSACTION_ABORTED;
}
