import { statSync, type BigIntStats } from 'node:fs';
import { DatabaseFileGone } from '../database.errors';

/** Where the database is, which may not be where it was. */
export interface DatabasePlace {
  /** @throws {DatabaseFileGone} when the SQLite file is no longer where it was */
  assertInPlace(): void;
}

/** A file as it was when the database was opened. */
interface KnownFile {
  readonly path: string;
  readonly identity: string;
}

/**
 * Sees whether the open files of a database are still those that their names lead to. SQLite does not look: it goes on
 * writing into a file that was deleted or moved away, and what it acknowledged is gone with the process.
 */
export class SqliteFileWatch implements DatabasePlace {
  private files: readonly KnownFile[] = [];

  constructor(private readonly file: string) {}

  /** To be called once an open connection has written, so that the write-ahead log is there; until then all is well. */
  begin(): void {
    this.files = [this.file, `${this.file}-wal`].flatMap((path) => {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      return found ? [{ path, identity: identityOf(found) }] : [];
    });
  }

  /** Takes some microseconds. */
  assertInPlace(): void {
    for (const { path, identity } of this.files) {
      if (identityAt(path) !== identity) throw new DatabaseFileGone(this.file);
    }
  }
}

/** @returns null where nothing can be found */
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
