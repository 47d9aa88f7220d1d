import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Queryable, SqlValue } from '../../../../platform/sql/queryable';

/** Row counts of a file's tables by name. */
export type RowCounts = Readonly<Record<string, number>>;

/** Rows of one table, in the archive's format. */
export type Rows = AsyncIterable<object> | Iterable<object>;

/** A table of a file: its name and its rows. */
export type NamedRows = readonly [name: string, rows: Rows];

/**
 * Writes text, respecting backpressure.
 * @throws the signal's reason once it is aborted, and the error of a closed file
 */
export async function writeText(sink: Writable, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (sink.destroyed) throw sink.errored ?? new Error('The file was closed.');
  if (!sink.write(text)) await once(sink, 'drain');
}

/** Writes JSON to a file, one row per line. */
export class JsonFile {
  constructor(
    private readonly sink: Writable,
    private readonly signal: AbortSignal,
  ) {}

  /** Writes an object of lists. */
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

  /** Writes one list. @returns the number of rows */
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

/** Maximum number of rows in memory at once. */
const PAGE = 1_000;

/** A row as the driver returns it: booleans are 0 and 1 on SQLite. */
export type RawRow = Record<string, string | number | boolean | null>;

/**
 * Reads rows page by page, ordered by key columns that together are unique.
 * @param sql a complete query without `ORDER BY`, whose result includes the key columns
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
