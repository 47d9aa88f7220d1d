import { join } from 'node:path';
import { Client } from 'pg';
import { type FillDatabase, fillMessages, SETTLE } from '../../bench/fill';
import { Database } from '../../src/platform/database/database.service';
import { Config } from '../../src/platform/config/config';
import { loadSqliteDriver } from '../../src/platform/database/sqlite/sqlite-driver';
import { tallyOf, watchDatabase } from '../support/database-tally';
import { HOT_REQUESTS, HotScene } from '../support/hot-requests';
import { MOST_ROWS, type PlanReader, postgresPlans, sqlitePlans } from '../support/query-plans';
import { TestApp } from '../support/test-app';
import { sqliteDrivers } from '../support/test-database';

/**
 * No statement of the requests that servers get most of may look at more rows the more people, subscribers or messages there
 * are: plans are looked at in an organization that has many times the rows that a statement may look at.
 */
const SUBSCRIBERS = 2 * MOST_ROWS;
const MESSAGES = 20 * MOST_ROWS;

let app: TestApp;
let scene: HotScene;
let plans: PlanReader;
let close: () => unknown;

beforeAll(async () => {
  watchDatabase();
  app = await TestApp.start({ withoutLaw: 'clients that watch would be asked about as well' });
  scene = await HotScene.prepare(app, SUBSCRIBERS);
  const { engine } = app.get(Database);
  await app.writeRows(async (tx) => {
    const filling: FillDatabase = { engine, run: (sql) => tx.query(sql) };
    await fillMessages(filling, app.cast.mia.id, scene.large, { messages: MESSAGES });
  });
  await (engine === 'sqlite' ? lookOnSqlite() : lookOnPostgres());
});

afterAll(async () => {
  await close?.();
  await app.stop();
  jest.restoreAllMocks();
});

async function lookOnSqlite(): Promise<void> {
  const { Connection } = loadSqliteDriver(sqliteDrivers[0]);
  const connection = new Connection(join(app.get(Config).dataDir, 'parley.db'));
  connection.exec(SETTLE.sqlite);
  close = () => connection.close();
  plans = await sqlitePlans(connection);
}

async function lookOnPostgres(): Promise<void> {
  const client = new Client({ connectionString: app.get(Config).databaseUrl ?? undefined });
  await client.connect();
  await client.query(SETTLE.postgres);
  // As on the connections of the server.
  await client.query('SET jit = off; SET max_parallel_workers_per_gather = 0');
  close = () => client.end();
  plans = await postgresPlans(client);
}

it.each(Object.entries(HOT_REQUESTS))('%s looks at few rows', async (name, request) => {
  const { before, call } = request(scene);
  const messageId = (await before?.()) ?? 0;
  const { ran } = await tallyOf(() => call(messageId));
  const found: string[] = [];
  for (const statement of ran) {
    for (const complaint of await plans(statement)) found.push(`${complaint}:\n${statement.text}`);
  }
  expect(found).toEqual([]);
});
