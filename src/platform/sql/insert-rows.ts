import type { SqlRunner, SqlValue } from './queryable';

/** A row by its columns. */
export type NewRow = Readonly<Record<string, SqlValue>>;

/** Placeholders of one statement; both engines take more. */
const MAX_VALUES = 20_000;

/**
 * Inserts rows that all have the same columns, many a statement.
 * @param rest of the statement, such as `ON CONFLICT DO NOTHING`
 */
export async function insertRows(
  db: SqlRunner,
  table: string,
  rows: readonly NewRow[],
  rest = '',
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const places = `(${columns.map(() => '?').join(', ')})`;
  const atOnce = Math.max(1, Math.floor(MAX_VALUES / Math.max(1, columns.length)));
  for (let at = 0; at < rows.length; at += atOnce) {
    const some = rows.slice(at, at + atOnce);
    await db.query(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${some.map(() => places).join(', ')} ${rest}`,
      some.flatMap((row) => columns.map((column) => row[column] ?? null)),
    );
  }
}
