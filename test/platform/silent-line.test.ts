import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tables } from '../../src/app.module';
import { Database } from '../../src/platform/database/database.service';
import { DatabaseUnavailable } from '../../src/platform/database/database.errors';
import type { PostgresOptions, SqliteOptions } from '../../src/platform/database/database.options';
import { moveToPostgres } from '../../src/platform/database/moving/move-to-postgres';
import { Line } from '../support/line';
import {
  createTestDatabase,
  hasPostgres,
  postgresServer,
  sqliteDrivers,
  type TestDatabase,
} from '../support/test-database';

if (!hasPostgres) test.todo('a line to PostgreSQL that falls silent: TEST_DATABASE_URL names no server');

/** Borne in place of a minute. */
const MAX_SILENCE_MS = 2_000;

/** Longer than silence is borne, with the time that it takes to notice it. */
const LONG_SECONDS = 9;

let line: Line;
let database: TestDatabase;
/** What the last of all migrations does. */
let atMigration: (runner: QueryRunner) => Promise<unknown> = () => Promise.resolve();

class Last9999999999999 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return atMigration(runner).then(() => undefined);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** The database by way of the line. */
function options(migrations: readonly (new () => MigrationInterface)[] = []): PostgresOptions {
  const own = { ...tables, migrations: [...(tables.migrations ?? []), ...migrations] };
  const given = database.options(own, { maxSilenceMs: MAX_SILENCE_MS }) as PostgresOptions;
  return { ...given, url: line.through(given.url) };
}

(hasPostgres ? describe : describe.skip)('where work on PostgreSQL may take long', () => {
  beforeEach(async () => {
    line = await Line.open(postgresServer()!, 5432);
    database = await createTestDatabase('postgres');
  });

  afterEach(async () => {
    await line.close();
    await database.drop();
  });

  it.each([
    ['forgets its connections', () => line.forget()],
    ['is silent', () => line.stall()],
  ])('a start ends with the reason when the line %s while tables are made', async (_what, fail) => {
    atMigration = (runner) => {
      fail();
      return runner.query('SELECT 1');
    };
    const opened = Database.open(options([Last9999999999999]));
    await expect(opened).rejects.toThrow(DatabaseUnavailable);
    await expect(opened).rejects.toThrow(/^PostgreSQL disconnected during a schema migration\. /);
  });

  it('a start waits for a migration as long as that works', async () => {
    atMigration = (runner) => runner.query(`SELECT pg_sleep(${LONG_SECONDS})`);
    const opened = await Database.open(options([Last9999999999999]));
    expect(opened.migrations).toContain(Last9999999999999.name);
    await opened.close();
  });

  it('a move ends with the reason when the line forgets its connections, and may be made again', async () => {
    const file = await createTestDatabase(sqliteDrivers[0]);
    try {
      const from = file.options(tables) as SqliteOptions;
      await (await Database.open(from)).close();
      const broken = moveToPostgres(from, options(), null, () => line.forget());
      await expect(broken).rejects.toThrow(
        /^PostgreSQL disconnected during the move\. Run the command again/,
      );
      // Where the first of two servers is away, the other one is taken.
      const two = { ...options(), url: options().url.replace('@', '@127.0.0.1:1,') };
      const moved = await moveToPostgres(from, two, null, () => undefined);
      expect(moved.map(({ table }) => table)).toContain('server_state');
    } finally {
      await file.drop();
    }
  });
});
