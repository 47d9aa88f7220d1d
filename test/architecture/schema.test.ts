import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { entities } from '../../src/app.entities';
import { postgresDataSource, sqliteDataSource } from '../../src/platform/database/data-source.options';
import type { DatabaseOptions } from '../../src/platform/database/database.options';
import { migrations } from '../../src/platform/database/migrations';
import { loadSqliteDriver } from '../../src/platform/database/sqlite-driver';
import { TABLE_NAMES } from '../support/database-content';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const FEATURES = join(__dirname, '../../src/features');

/** Tables that the platform reads and writes without a class of their own. */
const UNMAPPED = [
  'audience',
  'directory_version',
  'event_log',
  'event_log_head', // on PostgreSQL only
  'migrations',
  'search_progress',
  'server_state',
];

/** Tables of the full-text index; on SQLite each has tables of its own beside it. */
const FULL_TEXT = /^(message|topic)_search(_(config|data|docsize|idx))?$/;

/** The connection that migrations run on. */
function migrationSource(options: DatabaseOptions): DataSource {
  return new DataSource(
    options.engine === 'sqlite'
      ? sqliteDataSource(options, loadSqliteDriver(options.driver), 'write')
      : postgresDataSource(options, 'migrate'),
  );
}

describe('the schema', () => {
  let database: TestDatabase;
  let source: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    source = await migrationSource(database.options(entities)).initialize();
    await source.runMigrations({ transaction: 'each' });
  });

  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  /** What would have to be changed in the database for the entities to be right, as SQL. */
  async function differences(): Promise<string[]> {
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  }

  async function tableNames(): Promise<string[]> {
    const engine = source.options.type === 'postgres' ? 'postgres' : 'sqlite';
    const rows: { name: string }[] = await source.query(TABLE_NAMES[engine]);
    return rows.map(({ name }) => name).sort();
  }

  it('is after the migrations of migrations/index.ts what the entities say', async () => {
    await expect(differences()).resolves.toEqual([]);
  });

  it('has an entity for every table of a feature', async () => {
    const known = [...source.entityMetadatas.map(({ tableName }) => tableName), ...UNMAPPED];
    expect((await tableNames()).filter((table) => !known.includes(table) && !FULL_TEXT.test(table))).toEqual(
      [],
    );
  });

  it('has every entity in src/app.entities.ts', () => {
    const files = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' });
    const classes = files
      .filter((file) => file.endsWith('.entity.ts'))
      .flatMap((file) => [...readFileSync(join(FEATURES, file), 'utf8').matchAll(/^export class (\w+)/gm)])
      .map(([, name]) => name);
    expect(classes.sort()).toEqual(entities.map(({ name }) => name).sort());
  });

  it('goes away when the migrations are undone, and comes back the same', async () => {
    const before = await tableNames();
    for (let left = migrations.length; left > 0; left -= 1) await source.undoLastMigration();
    await expect(tableNames()).resolves.toEqual(['migrations']);
    await source.runMigrations({ transaction: 'each' });
    await expect(tableNames()).resolves.toEqual(before);
    await expect(differences()).resolves.toEqual([]);
  });
});
