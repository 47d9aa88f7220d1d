import type { ClientBase } from 'pg';
import {
  BEFORE_ALL,
  type PlainRow,
  type RowRange,
  ROWS_PER_BLOCK,
  RunningSum,
  type SharedColumn,
  type SqliteView,
  TableRows,
  type TableSum,
} from './table-rows';

/** A range of copied rows, with their fingerprint. */
interface Block extends RowRange {
  fingerprint: string;
}

/** Rows of a block that are only in the earlier view, or only in the later one. */
interface Difference {
  readonly gone: readonly PlainRow[];
  readonly added: readonly PlainRow[];
}

/** Copies one table from SQLite to PostgreSQL, follows concurrent writes, and compares the two. */
export class TableCopy {
  private readonly blocks: Block[] = [];
  private readonly read = new RunningSum();
  private readonly written = new RunningSum();

  private constructor(
    private readonly to: ClientBase,
    private readonly rows: TableRows,
    private readonly columns: readonly SharedColumn[],
    /** Matches the PostgreSQL row that equals one in `gone`. */
    private readonly isSame: string,
  ) {}

  static async of(to: ClientBase, name: string): Promise<TableCopy> {
    const { rows } = await to.query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
      [name],
    );
    const columns = rows.map((column) => ({
      name: column.name,
      isBinary: column.type === 'bytea',
      isText: ['text', 'integer', 'bigint'].includes(column.type),
      isBoolean: column.type === 'boolean',
    }));
    const key = await to.query<{ name: string }>(
      `SELECT a.attname AS name FROM pg_index i
       JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
       WHERE i.indisprimary AND i.indrelid = to_regclass(quote_ident($1))`,
      [name],
    );
    const equals = key.rows.length > 0 ? '=' : 'IS NOT DISTINCT FROM';
    const isSame = (key.rows.length > 0 ? key.rows : rows).map(
      (column) => `"${name}"."${column.name}" ${equals} gone."${column.name}"`,
    );
    return new TableCopy(to, new TableRows(name, columns), columns, isSame.join(' AND '));
  }

  get name(): string {
    return this.rows.name;
  }

  /** Whether PostgreSQL has this table as well. */
  get isPossible(): boolean {
    return this.columns.length > 0;
  }

  /** Number of rows in SQLite. */
  count(view: SqliteView): number {
    return this.rows.count(view);
  }

  /**
   * Copies all rows into an empty table.
   * @param step receives the number of rows copied
   */
  async copy(view: SqliteView, step: (rows: number) => void): Promise<void> {
    await this.copyNew(view, step);
    for await (const rows of this.inPostgres()) this.written.add(rows);
  }

  /**
   * Applies the differences from the previously copied view.
   * @returns the number of removed and written rows
   */
  async catchUp(before: SqliteView, now: SqliteView, step: () => void): Promise<number> {
    let changes = 0;
    const changed: Block[] = [];
    for (const block of this.blocks) {
      step();
      const fingerprint = this.rows.fingerprint(now, block);
      if (fingerprint === block.fingerprint) continue;
      block.fingerprint = fingerprint;
      changed.push(block);
    }
    // Deletions come first: a new row may have a unique value that a deleted one had.
    for (const block of changed) {
      const { gone } = this.difference(before, now, block);
      await this.remove(gone);
      changes += gone.length;
    }
    for (const block of changed) {
      const { added } = this.difference(before, now, block);
      this.written.add(await this.insert(added));
      this.read.add(added);
      changes += added.length;
    }
    await this.copyNew(now, (rows) => (changes += rows), true);
    return changes;
  }

  /** Reads both tables completely, without copying anything. */
  async compare(view: SqliteView, step: (rows: number) => void): Promise<void> {
    for (let after = BEFORE_ALL; ;) {
      const rows = this.rows.block(view, after);
      if (rows.size === 0) break;
      this.read.add(rows.values());
      after = [...rows.keys()].at(-1)!;
      step(rows.size);
    }
    for await (const rows of this.inPostgres()) this.written.add(rows);
  }

  /**
   * The common checksum; null if the tables differ.
   * @param view the most recently copied one
   */
  async sum(view: SqliteView): Promise<TableSum | null> {
    const { rows } = await this.to.query<{ rows: number }>(`SELECT COUNT(*) AS rows FROM "${this.name}"`);
    const read = this.read.result();
    const written = this.written.result();
    const counts = [this.count(view), rows[0]?.rows, written.rows];
    return read.checksum === written.checksum && counts.every((count) => count === read.rows) ? read : null;
  }

  /** Copies the rows after the last block. */
  private async copyNew(view: SqliteView, step: (rows: number) => void, isCounted = false): Promise<void> {
    for (;;) {
      const after = this.blocks.at(-1)?.upTo ?? BEFORE_ALL;
      const rows = this.rows.block(view, after);
      if (rows.size === 0) return;
      const range = { after, upTo: [...rows.keys()].at(-1)! };
      this.read.add(rows.values());
      const written = await this.insert([...rows.values()], isCounted);
      this.written.add(written);
      this.blocks.push({ ...range, fingerprint: this.rows.fingerprint(view, range) });
      step(rows.size);
    }
  }

  private difference(before: SqliteView, now: SqliteView, block: Block): Difference {
    const old = this.rows.range(before, block);
    const current = this.rows.range(now, block);
    return { gone: onlyIn(old, current), added: onlyIn(current, old) };
  }

  private async insert(rows: readonly PlainRow[], isReturned = true): Promise<PlainRow[]> {
    const names = this.names();
    const inserted = await this.to.query<Record<string, unknown>>(
      `INSERT INTO "${this.name}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${this.name}", $1)
       ${isReturned ? `RETURNING ${names}` : ''}`,
      [JSON.stringify(rows)],
    );
    return inserted.rows.map((row) => this.rows.plain(row));
  }

  private async remove(rows: readonly PlainRow[]): Promise<void> {
    const table = `"${this.name}"`;
    const deleted = await this.to.query<Record<string, unknown>>(
      `DELETE FROM ${table} USING json_populate_recordset(NULL::${table}, $1) AS gone
       WHERE ${this.isSame} RETURNING ${this.names(`${table}.`)}`,
      [JSON.stringify(rows)],
    );
    this.read.subtract(rows);
    this.written.subtract(deleted.rows.map((row) => this.rows.plain(row)));
  }

  private async *inPostgres(): AsyncGenerator<PlainRow[]> {
    await this.to.query(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${this.names()} FROM "${this.name}"`);
    for (let isMore = true; isMore;) {
      const { rows } = await this.to.query<Record<string, unknown>>(`FETCH ${ROWS_PER_BLOCK} FROM moved`);
      yield rows.map((row) => this.rows.plain(row));
      isMore = rows.length === ROWS_PER_BLOCK;
    }
    await this.to.query('CLOSE moved');
  }

  private names(prefix = ''): string {
    return this.columns.map(({ name }) => `${prefix}"${name}"`).join(', ');
  }
}

function onlyIn(one: ReadonlyMap<number, PlainRow>, other: ReadonlyMap<number, PlainRow>): PlainRow[] {
  const isThere = (id: number, row: PlainRow) => JSON.stringify(other.get(id)) === JSON.stringify(row);
  return [...one].filter(([id, row]) => !isThere(id, row)).map(([, row]) => row);
}
