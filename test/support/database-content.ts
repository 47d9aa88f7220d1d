import { Database } from '../../src/platform/database/database.service';
import type { DatabaseOptions } from '../../src/platform/database/database.options';

/** The statement that lists the tables of a database in the column `name`. */
export const TABLE_NAMES = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
  postgres: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
} as const;

/** Every row of every table as sorted JSON, of a database without a running server. */
export async function databaseContent(options: DatabaseOptions): Promise<Record<string, string[]>> {
  const database = await Database.open(options);
  try {
    const content: Record<string, string[]> = {};
    for (const { name } of await database.read.query<{ name: string }>(TABLE_NAMES[database.engine])) {
      const rows = await database.read.query<object>(`SELECT * FROM ${name}`);
      content[name] = rows.map((row) => JSON.stringify(row)).sort();
    }
    return content;
  } finally {
    await database.close();
  }
}
