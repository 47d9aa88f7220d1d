import type { Queryable, SqlValue } from '../../../../platform/sql/queryable';

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
