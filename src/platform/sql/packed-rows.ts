import type { Engine, Queryable, SqlValue } from './queryable';

/** The SQL expression of each property of a row. */
export type PackedColumns<Row> = { readonly [Property in keyof Row]-?: string };

/** How each engine combines all rows into one text. */
const PACK: Record<Engine, (values: string) => string> = {
  sqlite: (values) => `json_group_array(json_array(${values}))`,
  postgres: (values) => `CAST(json_agg(json_build_array(${values})) AS text)`,
};

/**
 * Rows that the database returns as one JSON text. For statements with hundreds of rows: with the drivers of both
 * engines, creating an object per row costs more than finding the rows. For numbers, texts and nulls; a boolean is 0 or
 * 1 on SQLite.
 * @param rest of the statement, from `FROM` on. The rows are unordered: an ORDER BY in `rest` has no effect.
 */
export async function packedRows<Row extends object>(
  db: Queryable,
  columns: PackedColumns<Row>,
  rest: string,
  parameters: readonly SqlValue[] = [],
): Promise<Row[]> {
  const properties = Object.keys(columns);
  const packed = PACK[db.engine](Object.values<string>(columns).join(', '));
  const { rows } = await db.queryOne<{ rows: string | null }>(
    `SELECT ${packed} AS "rows" ${rest}`,
    parameters,
  );
  return rows === null ? [] : (JSON.parse(rows) as unknown[][]).map((values) => unpacked(properties, values));
}

const PACK_NUMBERS: Record<Engine, (value: string) => string> = {
  sqlite: (value) => `json_group_array(${value})`,
  postgres: (value) => `CAST(json_agg(${value}) AS text)`,
};

/** The same for rows of a single number. */
export async function packedNumbers(
  db: Queryable,
  column: string,
  rest: string,
  parameters: readonly SqlValue[] = [],
): Promise<number[]> {
  const { rows } = await db.queryOne<{ rows: string | null }>(
    `SELECT ${PACK_NUMBERS[db.engine](column)} AS "rows" ${rest}`,
    parameters,
  );
  return rows === null ? [] : (JSON.parse(rows) as number[]);
}

function unpacked<Row>(properties: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (let at = 0; at < properties.length; at++) row[properties[at] as string] = values[at];
  return row as Row;
}
