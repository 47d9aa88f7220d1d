import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import type { SqliteConnection } from '../sqlite/sqlite-driver';

const ROWS_PER_STEP = 2_000;

/** What a table holds: how many rows, and a sum over all of them in which their order does not count. */
export interface TableSum {
  rows: number;
  checksum: string;
}

/** A column, by the name that it has on both engines. */
interface SharedColumn {
  readonly name: string;
  readonly isBinary: boolean;
  readonly isBoolean: boolean;
}

type Row = Record<string, unknown>;

/** Copies one table from SQLite to PostgreSQL, and says whether both hold the same then. */
export class TableCopy {
  private constructor(
    private readonly from: SqliteConnection,
    private readonly to: Client,
    readonly name: string,
    private readonly columns: readonly SharedColumn[],
  ) {}

  static async of(from: SqliteConnection, to: Client, name: string): Promise<TableCopy> {
    const { rows } = await to.query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
      [name],
    );
    const columns = rows.map((column) => ({
      name: column.name,
      isBinary: column.type === 'bytea',
      isBoolean: column.type === 'boolean',
    }));
    return new TableCopy(from, to, name, columns);
  }

  /** Whether PostgreSQL has such a table as well. */
  get isPossible(): boolean {
    return this.columns.length > 0;
  }

  /** How many rows SQLite has. */
  count(): number {
    return (this.from.prepare(`SELECT COUNT(*) AS rows FROM "${this.name}"`).all()[0] as { rows: number })
      .rows;
  }

  /**
   * @param step told how many rows were copied
   * @returns what was read
   */
  async copy(step: (rows: number) => void): Promise<TableSum> {
    const names = this.columns.map(({ name }) => `"${name}"`).join(', ');
    const sum = new RunningSum();
    const insert = `INSERT INTO "${this.name}" (${names})
      SELECT ${names} FROM json_populate_recordset(NULL::"${this.name}", $1)`;
    let last: unknown = -1;
    for (;;) {
      // The row ID is of SQLite alone; it is the place to go on from.
      const rows = this.from
        .prepare(
          `SELECT rowid AS "row id", ${names} FROM "${this.name}" WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_PER_STEP}`,
        )
        .all(last) as Row[];
      if (rows.length === 0) return sum.result();
      last = rows.at(-1)?.['row id'];
      const plain = rows.map((row) => this.plain(row));
      for (const row of plain) sum.add(Object.values(row));
      await this.to.query(insert, [JSON.stringify(plain)]);
      step(rows.length);
    }
  }

  /** What PostgreSQL has. */
  async sum(): Promise<TableSum> {
    const names = this.columns.map(({ name }) => `"${name}"`).join(', ');
    const sum = new RunningSum();
    await this.to.query(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${names} FROM "${this.name}"`);
    for (;;) {
      const { rows } = await this.to.query<Row>(`FETCH ${ROWS_PER_STEP} FROM moved`);
      for (const row of rows) sum.add(Object.values(this.plain(row)));
      if (rows.length < ROWS_PER_STEP) break;
    }
    await this.to.query('CLOSE moved');
    return sum.result();
  }

  /** A row as JSON, in one form for both engines. */
  private plain(row: Row): Row {
    return Object.fromEntries(
      this.columns.map((column) => [column.name, plainValue(row[column.name], column)]),
    );
  }
}

function plainValue(value: unknown, { isBinary, isBoolean }: SharedColumn): unknown {
  if (value === null || value === undefined) return null;
  if (isBinary) return `\\x${Buffer.from(value as Buffer).toString('hex')}`;
  return isBoolean ? value === true || value === 1 : value;
}

/** A sum of the hashes of rows. */
class RunningSum {
  private rows = 0;
  private sum = 0n;

  add(values: readonly unknown[]): void {
    this.rows++;
    const hash = createHash('sha256').update(JSON.stringify(values)).digest();
    this.sum = BigInt.asUintN(64, this.sum + hash.readBigUInt64BE());
  }

  result(): TableSum {
    return { rows: this.rows, checksum: this.sum.toString(16).padStart(16, '0') };
  }
}
