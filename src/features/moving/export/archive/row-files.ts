import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Queryable, SqlValue } from '../../../../platform/sql/queryable';

/** How many rows each table of a file has, by name. */
export type RowCounts = Readonly<Record<string, number>>;

/** Rows of one table, in the words of the archive. */
export type Rows = AsyncIterable<object> | Iterable<object>;

/** A table of a file: its name and what gives its rows. */
export type NamedRows = readonly [name: string, rows: Rows];

/**
 * Writes a text, as fast as the disk takes it.
 * @throws the reason of the signal once that is aborted, and what happened to a file that was closed
 */
export async function writeText(sink: Writable, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (sink.destroyed) throw sink.errored ?? new Error('The file was closed.');
  if (!sink.write(text)) await once(sink, 'drain');
}

/** Writes JSON into a file, a row a line. */
export class JsonFile {
  constructor(
    private readonly sink: Writable,
    private readonly signal: AbortSignal,
  ) {}

  /** An object of lists. */
  async tables(tables: Iterable<NamedRows>): Promise<RowCounts> {
    const counts: Record<string, number> = {};
    await this.write('{');
    for (const [name, rows] of tables) {
      await this.write(`${Object.keys(counts).length > 0 ? ',' : ''}\n  ${JSON.stringify(name)}: `);
      counts[name] = await this.list(rows);
    }
    await this.write('\n}\n');
    return counts;
  }

  /** One list. @returns how many rows it has */
  async list(rows: Rows): Promise<number> {
    let count = 0;
    await this.write('[');
    for await (const row of rows) {
      await this.write(`${count > 0 ? ',' : ''}\n    ${JSON.stringify(row)}`);
      count++;
    }
    await this.write(count > 0 ? '\n  ]' : ']');
    return count;
  }

  private write(text: string): Promise<void> {
    return writeText(this.sink, text, this.signal);
  }
}

/** Rows that are in memory at once. */
const PAGE = 1_000;

/** A row as the driver gives it: booleans are 0 and 1 on SQLite. */
export type RawRow = Record<string, string | number | boolean | null>;

/**
 * Reads rows in the order of columns that together are unique, a page at a time.
 * @param sql a whole query without an order, whose result has the key columns
 */
export async function* pagedRows<Row extends object = RawRow>(
  db: Queryable,
  sql: string,
  keys: readonly string[] = ['id'],
  parameters: readonly SqlValue[] = [],
): AsyncGenerator<Row> {
  const columns = keys.map((key) => `r.${key}`).join(', ');
  const marks = keys.map(() => '?').join(', ');
  let last: SqlValue[] | undefined;
  for (;;) {
    const after = last === undefined ? '' : `WHERE (${columns}) > (${marks})`;
    const rows = await db.query<Row>(`SELECT * FROM (${sql}) r ${after} ORDER BY ${columns} LIMIT ${PAGE}`, [
      ...parameters,
      ...(last ?? []),
    ]);
    yield* rows;
    const newest = rows.at(-1) as RawRow | undefined;
    if (!newest || rows.length < PAGE) return;
    last = keys.map((key) => newest[key] ?? null);
  }
}
