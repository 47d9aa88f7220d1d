import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { tables } from '../../src/app.module';
import { postgresDataSource, sqliteDataSource } from '../../src/platform/database/data-source.options';
import type { DatabaseOptions } from '../../src/platform/database/database.options';
import { knownMigrations } from '../../src/platform/database/known-migrations';
import { Jobs1700000000018 } from '../../src/platform/database/migrations/0018-jobs.migration';
import { EditedSettings1700000000030 } from '../../src/platform/database/migrations/0028-to-0039-first-release.migration';
import { loadSqliteDriver } from '../../src/platform/database/sqlite/sqlite-driver';
import { TABLE_NAMES } from '../support/database-content';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const SOURCE = join(__dirname, '../../src');

/** Tables that the platform uses without an entity. */
const UNMAPPED = [
  'audience',
  'directory_version',
  'event_log',
  'event_log_head', // on PostgreSQL only
  'job',
  'migrations',
  'module_migration',
  'received_mail_content', // bytes, which entities cannot declare for both engines
  'search_progress',
  'server_state',
];

/** Tables of the full-text index; on SQLite each has auxiliary tables. */
const FULL_TEXT = /^(message|topic)_search(_(config|data|docsize|idx|terms))?$/;

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
    source = await migrationSource(database.options(tables)).initialize();
    await source.runMigrations({ transaction: 'each' });
  });

  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  /** SQL that would change the database to match the entities. */
  async function differences(): Promise<string[]> {
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  }

  async function tableNames(): Promise<string[]> {
    const engine = source.options.type === 'postgres' ? 'postgres' : 'sqlite';
    const rows: { name: string }[] = await source.query(TABLE_NAMES[engine]);
    return rows.map(({ name }) => name).sort();
  }

  it('comes from migrations in the order of their numbers, one each', () => {
    const numbers = knownMigrations(tables).map(({ name }) => Number(/\d+$/.exec(name)?.[0]));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  it('knows every migration of every file, in features as well', () => {
    const classes = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.migration.ts'))
      .flatMap((file) => [...readFileSync(join(SOURCE, file), 'utf8').matchAll(/^export class (\w+)/gm)])
      .map(([, name]) => name);
    const known = knownMigrations(tables).map(({ name }) => name);
    expect(classes.sort()).toEqual(known.sort());
  });

  it('puts migrations of features among the others, and refuses a number that is taken', () => {
    class Between1700000000009 extends Jobs1700000000018 {}
    class Twice1700000000018 extends Jobs1700000000018 {}
    class Nameless extends Jobs1700000000018 {}
    const names = knownMigrations({ migrations: [Between1700000000009] }).map(({ name }) => name);
    expect(names.indexOf('Between1700000000009')).toBe(names.indexOf('Installation1700000000010') - 1);
    expect(() => knownMigrations({ migrations: [Twice1700000000018] })).toThrow(
      'Twice1700000000018 has the same number as Jobs1700000000018. Use the next free number.',
    );
    expect(() => knownMigrations({ migrations: [Nameless] })).toThrow(
      'The name of Nameless does not end with its number.',
    );
  });

  it('is after all migrations what the entities say', async () => {
    await expect(differences()).resolves.toEqual([]);
  });

  it('has an entity for every table of a feature', async () => {
    const known = [...source.entityMetadatas.map(({ tableName }) => tableName), ...UNMAPPED];
    expect((await tableNames()).filter((table) => !known.includes(table) && !FULL_TEXT.test(table))).toEqual(
      [],
    );
  });

  it('has every entity among the tables of a feature', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
    const classes = files
      .filter((file) => file.endsWith('.entity.ts'))
      .flatMap((file) => [...readFileSync(join(SOURCE, file), 'utf8').matchAll(/^export class (\w+)/gm)])
      .map(([, name]) => name);
    expect(classes.sort()).toEqual(tables.entities.map(({ name }) => name).sort());
  });

  it('goes away when the migrations are undone, and comes back the same', async () => {
    const before = await tableNames();
    for (let left = knownMigrations(tables).length; left > 0; left -= 1) await source.undoLastMigration();
    await expect(tableNames()).resolves.toEqual(['migrations']);
    await source.runMigrations({ transaction: 'each' });
    await expect(tableNames()).resolves.toEqual(before);
    await expect(differences()).resolves.toEqual([]);
  });

  it('carries over into jobs what its three tables had before, and back', async () => {
    const migration = new Jobs1700000000018();
    const runner = source.createQueryRunner();
    const isPostgres = source.options.type === 'postgres';
    // The rows need no referenced messages and accounts.
    await runner.query(isPostgres ? 'SET session_replication_role = replica' : 'PRAGMA foreign_keys = OFF');
    const tables = ['webhook_delivery', 'messaging_answer', 'unfinished_work'];
    const contents = async () => {
      const found: object[] = [];
      for (const name of tables) found.push(...(await runner.query(`SELECT * FROM ${name} ORDER BY id`)));
      return JSON.parse(JSON.stringify(found)) as object[];
    };
    await migration.down(runner);
    await runner.query(`INSERT INTO webhook_delivery (message_id, bot_id, cause, attempts, due_at, reply)
      VALUES (5, 7, 'mention', 2, 1700000000001, 'It''s "here"'), (6, 7, 'direct_message', 0, 1700000000002, NULL)`);
    await runner.query(`INSERT INTO messaging_answer (conversation_id, message_id, attempts, due_at, created_at)
      VALUES (3, 8, 1, 1700000000004, 1700000000003)`);
    await runner.query(`INSERT INTO unfinished_work (kind, data, due_at)
      VALUES ('read what the muted said', '{"userId":1,"mutedUserId":2}', 1700000000005)`);
    const before = await contents();
    await migration.up(runner);
    const jobs: { data: string; due_at: string; next_at: string }[] = await runner.query(
      'SELECT kind, group_key, key, data, due_at, next_at, attempts, lease_until FROM job ORDER BY id',
    );
    const read = jobs.map(({ data, due_at, next_at, ...job }) => ({
      ...job,
      data: JSON.parse(data),
      at: [Number(due_at) % 10, Number(next_at) % 10],
    }));
    const webhook = { kind: 'outgoing_webhook', group_key: '7', lease_until: null };
    expect(read).toEqual([
      {
        ...webhook,
        key: '5',
        attempts: 2,
        data: { messageId: 5, botId: 7, cause: 'mention', reply: 'It\'s "here"' },
        at: [1, 1],
      },
      {
        ...webhook,
        key: '6',
        attempts: 0,
        data: { messageId: 6, botId: 7, cause: 'direct_message', reply: null },
        at: [2, 2],
      },
      {
        kind: 'messaging_answer',
        group_key: '3',
        key: '8',
        attempts: 1,
        lease_until: null,
        data: { conversationId: 3, messageId: 8, number: 1 },
        at: [3, 4],
      },
      {
        kind: 'read_muted_sender',
        group_key: '',
        key: null,
        attempts: 0,
        lease_until: null,
        data: { userId: 1, mutedUserId: 2 },
        at: [5, 5],
      },
    ]);
    await migration.down(runner);
    await expect(contents()).resolves.toEqual(before);
    await migration.up(runner);
    await runner.query('DELETE FROM job');
    await runner.query(isPostgres ? 'SET session_replication_role = DEFAULT' : 'PRAGMA foreign_keys = ON');
    await runner.release();
    await expect(differences()).resolves.toEqual([]);
  });

  it('takes the settings that people had before they were told apart for their own choice', async () => {
    const migration = new EditedSettings1700000000030();
    const runner = source.createQueryRunner();
    await migration.down(runner);
    const add = (id: number, isBot: boolean, settings: object) =>
      runner.query(`INSERT INTO account (id, delivery_email, email_key, full_name, role, is_active, is_bot,
          is_system_bot, key_nonce, date_joined, awaits_first_login, timezone, avatar_source, avatar_version,
          email_visibility, is_imported_stub, is_deleted, can_create_users, settings, default_all_public_channels)
        VALUES (${id}, '${id}', '${id}', 'Name', 400, TRUE, ${isBot}, FALSE, '', 0, FALSE, '', 'G', 1, 1, FALSE,
          FALSE, FALSE, '${JSON.stringify(settings)}', FALSE)`);
    await add(1, false, { color_scheme: 2, enter_sends: true });
    await add(2, false, {});
    await add(3, true, { default_language: 'de' });
    await migration.up(runner);
    const rows: { edited_settings: string }[] = await runner.query(
      'SELECT edited_settings FROM account ORDER BY id',
    );
    expect(rows.map((row) => JSON.parse(row.edited_settings) as string[])).toEqual([
      ['color_scheme', 'enter_sends'],
      [],
      [],
    ]);
    await runner.query('DELETE FROM account');
    await runner.release();
    await expect(differences()).resolves.toEqual([]);
  });
});
