import type { EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { Queryable, SqlRunner, SqlValue } from './queryable';

/** The parts of an entity's statements. */
interface Mapping {
  readonly selection: string;
  readonly insertion: string;
  /** Properties that the caller provides for a new row, in the order of the placeholders. */
  readonly given: readonly string[];
  readonly booleans: readonly string[];
}

const mappings = new WeakMap<EntityMetadata, Mapping>();

/**
 * Rows of an entity's table under the names of its properties, as plain objects. For tables read by the thousand and
 * for statements on busy paths: TypeORM's own way costs several times the statement.
 * @param rest of the statement, with column names: `WHERE ...`, `ORDER BY ...`
 */
export async function entityRows<E extends ObjectLiteral>(
  db: Queryable,
  entity: EntityTarget<E>,
  rest = '',
  parameters: readonly SqlValue[] = [],
): Promise<E[]> {
  const { selection, booleans } = mappingOf(db, entity);
  const rows = await db.query<E>(`${selection} ${rest}`, parameters);
  return db.engine === 'sqlite' ? rows.map((row) => fromSqlite(row, booleans)) : rows;
}

/**
 * Inserts a row of an entity whose ID the database generates.
 * @returns the whole row, under the names of the entity's properties
 */
export async function insertEntity<E extends { id: number }>(
  db: Queryable,
  entity: EntityTarget<E>,
  values: Omit<E, 'id'>,
): Promise<E> {
  const { insertion, given } = mappingOf(db, entity);
  const parameters = given.map((property) => (values as Record<string, SqlValue>)[property] ?? null);
  const { id } = await db.queryOne<{ id: number }>(insertion, parameters);
  return { ...values, id } as E;
}

function mappingOf<E extends ObjectLiteral>(db: Queryable, entity: EntityTarget<E>): Mapping {
  const { metadata } = db.repository(entity);
  let mapping = mappings.get(metadata);
  if (!mapping) mappings.set(metadata, (mapping = map(metadata)));
  return mapping;
}

function map({ tableName, columns }: EntityMetadata): Mapping {
  const given = columns.filter((column) => !column.isGenerated);
  const selected = columns.map((column) => `"${column.databaseName}" AS "${column.propertyName}"`);
  const inserted = given.map((column) => `"${column.databaseName}"`);
  return {
    selection: `SELECT ${selected.join(', ')} FROM "${tableName}"`,
    insertion: `INSERT INTO "${tableName}" (${inserted.join(', ')}) VALUES (${inserted.map(() => '?').join(', ')}) RETURNING id`,
    given: given.map((column) => column.propertyName),
    booleans: columns.filter(({ type }) => type === 'boolean').map((column) => column.propertyName),
  };
}

/**
 * Turns 0 and 1 back into booleans. Copies the row: objects created by the driver take three times the memory, which
 * matters for retained rows.
 */
function fromSqlite<E extends object>(row: E, booleans: readonly string[]): E {
  const copy = { ...row } as Record<string, unknown>;
  for (const property of booleans) {
    if (copy[property] !== null) copy[property] = copy[property] === 1;
  }
  return copy as E;
}

/** A row by column name. */
export type NewRow = Readonly<Record<string, SqlValue>>;

/** Maximum number of placeholders in a statement; both engines take more. */
const MAX_VALUES = 20_000;

/**
 * Inserts rows with the same columns, many per statement.
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
