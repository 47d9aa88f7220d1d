import { Table, type TableColumnOptions, type TableForeignKeyOptions, type TableIndexOptions } from 'typeorm';

/** An auto-incrementing primary key. */
export function idColumn(): TableColumnOptions {
  return { name: 'id', type: 'integer', isPrimary: true, isGenerated: true, generationStrategy: 'increment' };
}

type Shape = Pick<TableColumnOptions, 'isNullable' | 'isPrimary'>;

/** Columns of one type; give several names to declare them in one line. */
export function columns(
  type: 'integer' | 'bigint' | 'text' | 'boolean' | 'real',
  names: string,
  shape: Shape = {},
): TableColumnOptions[] {
  return names.split(' ').map((name) => ({ name, type, ...shape }));
}

/** Shape of a column that may hold NULL. */
export const nullable: Shape = { isNullable: true };

/** Shape of a column that is (part of) the primary key. */
export const primary: Shape = { isPrimary: true };

/** A reference of one column to the `id` of another table. */
export function reference(column: string, table: string): TableForeignKeyOptions {
  return { columnNames: [column], referencedTableName: table, referencedColumnNames: ['id'] };
}

/** An index named after its table and columns, as the entities name it. */
export function index(table: string, names: string, options: { unique?: boolean } = {}): TableIndexOptions {
  const columnNames = names.split(' ');
  return { name: `ix_${table}_${columnNames.join('_')}`, columnNames, isUnique: options.unique ?? false };
}

/** Assembles a table from groups of columns. */
export function table(
  name: string,
  columnGroups: (TableColumnOptions | TableColumnOptions[])[],
  keys: { references?: TableForeignKeyOptions[]; indices?: TableIndexOptions[] } = {},
): Table {
  return new Table({
    name,
    columns: columnGroups.flat(),
    foreignKeys: keys.references ?? [],
    indices: keys.indices ?? [],
  });
}
