import { createHash } from 'node:crypto';
import type { SqliteConnection, SqliteDriver } from '../sqlite/sqlite-driver';

/** The contents of a database file at one moment, while a server keeps writing to it: readers do not block it. */
export class SqliteView {
  private constructor(private readonly connection: SqliteConnection) {}

  static open({ Connection }: SqliteDriver, file: string): SqliteView {
    const connection = new Connection(file, { timeout: 5_000 });
    connection.pragma('query_only = ON');
    connection.exec('BEGIN');
    const view = new SqliteView(connection);
    // The first statement that reads sets the moment.
    view.rows('SELECT COUNT(*) FROM sqlite_master');
    return view;
  }

  rows<Row extends object>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.connection.prepare(sql).all(...values) as Row[];
  }

  close(): void {
    // A driver may keep a closed connection, and its locks, for a while.
    this.connection.exec('ROLLBACK');
    this.connection.close();
  }
}

/** Number of rows that are read, compared and written together. */
export const ROWS_PER_BLOCK = 2_000;

/** Summary of a table: its row count, and an order-independent checksum of its rows. */
export interface TableSum {
  readonly rows: number;
  readonly checksum: string;
}

/** A column, by its name on both engines. */
export interface SharedColumn {
  readonly name: string;
  readonly isBinary: boolean;
  /** If not, it is an integer. */
  readonly isText: boolean;
  readonly isBoolean: boolean;
}

/** A row as JSON, in one form for both engines. */
export type PlainRow = Readonly<Record<string, unknown>>;

/**
 * A range of row IDs, excluding the first and including the last. Row IDs exist only on SQLite, where every table has
 * them.
 */
export interface RowRange {
  readonly after: number;
  readonly upTo: number;
}

/** Below every row ID. */
export const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

/** Reads a table from views of a SQLite file. */
export class TableRows {
  constructor(
    readonly name: string,
    private readonly columns: readonly SharedColumn[],
  ) {}

  /** Number of rows. */
  count(view: SqliteView): number {
    const [row] = view.rows<{ rows: number }>(`SELECT COUNT(*) AS rows FROM "${this.name}"`);
    return row?.rows ?? 0;
  }

  /** The next rows, by row ID. */
  block(view: SqliteView, after: number): ReadonlyMap<number, PlainRow> {
    return this.select(view, `rowid > ? ORDER BY rowid LIMIT ${ROWS_PER_BLOCK}`, after);
  }

  /** All rows of a range, by row ID. */
  range(view: SqliteView, { after, upTo }: RowRange): ReadonlyMap<number, PlainRow> {
    return this.select(view, 'rowid > ? AND rowid <= ? ORDER BY rowid', after, upTo);
  }

  /**
   * A value that changes if anything in the range does. SQLite combines the rows by itself: comparing a table takes a
   * tenth of the time of copying it.
   */
  fingerprint(view: SqliteView, { after, upTo }: RowRange): string {
    // JSON has no bytes, and loses digits of fractions.
    const values = this.columns.map(({ name, isText }) => (isText ? `"${name}"` : `quote("${name}")`));
    const [row] = view.rows<{ text: string }>(
      `SELECT json_group_array(json_array(rowid, ${values.join(', ')})) AS text
       FROM (SELECT rowid, * FROM "${this.name}" WHERE rowid > ? AND rowid <= ? ORDER BY rowid)`,
      after,
      upTo,
    );
    return createHash('sha256').update(String(row?.text)).digest('base64');
  }

  /** Converts a row of either engine. */
  plain(row: Readonly<Record<string, unknown>>): PlainRow {
    return Object.fromEntries(
      this.columns.map((column) => [column.name, plainValue(row[column.name], column)]),
    );
  }

  private select(view: SqliteView, where: string, ...values: readonly number[]): Map<number, PlainRow> {
    const names = this.columns.map(({ name }) => `"${name}"`).join(', ');
    const sql = `SELECT rowid AS "row id", ${names} FROM "${this.name}" WHERE ${where}`;
    const rows = view.rows<{ 'row id': number }>(sql, ...values);
    return new Map(rows.map((row) => [row['row id'], this.plain(row as Record<string, unknown>)]));
  }
}

function plainValue(value: unknown, { isBinary, isBoolean }: SharedColumn): unknown {
  if (value === null || value === undefined) return null;
  if (isBinary) return `\\x${Buffer.from(value as Buffer).toString('hex')}`;
  return isBoolean ? value === true || value === 1 : value;
}

/** A sum of row hashes, from which rows can be subtracted again. */
export class RunningSum {
  private rows = 0;
  private sum = 0n;

  add(rows: Iterable<PlainRow>): void {
    for (const row of rows) {
      this.rows++;
      this.sum = BigInt.asUintN(64, this.sum + hashOf(row));
    }
  }

  subtract(rows: Iterable<PlainRow>): void {
    for (const row of rows) {
      this.rows--;
      this.sum = BigInt.asUintN(64, this.sum - hashOf(row));
    }
  }

  result(): TableSum {
    return { rows: this.rows, checksum: this.sum.toString(16).padStart(16, '0') };
  }
}

function hashOf(row: PlainRow): bigint {
  return createHash('sha256')
    .update(JSON.stringify(Object.values(row)))
    .digest()
    .readBigUInt64BE();
}
