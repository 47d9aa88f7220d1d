import { createHash } from 'node:crypto';
import type { SqliteConnection, SqliteDriver } from '../sqlite/sqlite-driver';

/** What a database file held at one moment, while a server goes on writing into it: that waits for no reader. */
export class SqliteView {
  private constructor(private readonly connection: SqliteConnection) {}

  static open({ Connection }: SqliteDriver, file: string): SqliteView {
    const connection = new Connection(file, { timeout: 5_000 });
    connection.pragma('query_only = ON');
    connection.exec('BEGIN');
    const view = new SqliteView(connection);
    // The first statement that reads fixes the moment.
    view.rows('SELECT COUNT(*) FROM sqlite_master');
    return view;
  }

  rows<Row extends object>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.connection.prepare(sql).all(...values) as Row[];
  }

  close(): void {
    // A driver may keep a closed connection, and what it holds, for a while.
    this.connection.exec('ROLLBACK');
    this.connection.close();
  }
}

/** So many rows are read, compared and written together. */
export const ROWS_PER_BLOCK = 2_000;

/** What a table holds: how many rows, and a sum over all of them in which their order does not count. */
export interface TableSum {
  readonly rows: number;
  readonly checksum: string;
}

/** A column, by the name that it has on both engines. */
export interface SharedColumn {
  readonly name: string;
  readonly isBinary: boolean;
  /** Or a whole number. */
  readonly isText: boolean;
  readonly isBoolean: boolean;
}

/** A row as JSON, in one form for both engines. */
export type PlainRow = Readonly<Record<string, unknown>>;

/** Row IDs above the one and up to the other. They are of SQLite alone, and every table has them. */
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

  /** How many rows there are. */
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
   * Differs where anything in the range differs. SQLite puts the rows together by itself: comparing a table takes a tenth of
   * the time that copying it takes.
   */
  fingerprint(view: SqliteView, { after, upTo }: RowRange): string {
    // In JSON there are no bytes, and not all digits of a fraction.
    const values = this.columns.map(({ name, isText }) => (isText ? `"${name}"` : `quote("${name}")`));
    const [row] = view.rows<{ text: string }>(
      `SELECT json_group_array(json_array(rowid, ${values.join(', ')})) AS text
       FROM (SELECT rowid, * FROM "${this.name}" WHERE rowid > ? AND rowid <= ? ORDER BY rowid)`,
      after,
      upTo,
    );
    return createHash('sha256').update(String(row?.text)).digest('base64');
  }

  /** A row of either engine. */
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

/** A sum of the hashes of rows, from which rows can be taken again. */
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
