import { setTimeout as moment } from 'node:timers/promises';
import { Client } from 'pg';
import { PostgresHosts } from '../../src/platform/database/postgres/postgres-hosts';
import { expectSuccess } from '../support/expect-answer';
import { Line } from '../support/line';
import { fetchIds, sendDirect } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { createTestDatabase, hasPostgres, postgresServer, type TestDatabase } from '../support/test-database';

if (!hasPostgres) test.todo('several servers of PostgreSQL: TEST_DATABASE_URL names none');

const describeOnPostgres = hasPostgres ? describe : describe.skip;

describeOnPostgres('DATABASE_URL with two servers', () => {
  let first: Line;
  let second: Line;
  let app: TestApp;

  beforeAll(async () => {
    [first, second] = [await Line.open(postgresServer()!, 5432), await Line.open(postgresServer()!, 5432)];
    app = await TestApp.start({
      engine: 'postgres',
      env: ({ DATABASE_URL }) => {
        const [one, other] = [first, second].map((line) => new URL(line.through(DATABASE_URL!)));
        const both = one!.href.replace(one!.host, `${one!.host},${other!.host}`);
        return { DATABASE_URL: `${both}?target_session_attrs=read-write` };
      },
      withoutLaw: 'a database is taken away',
    });
  });

  afterAll(async () => {
    for (const line of [first, second]) line.mend();
    await app.stop();
    await Promise.all([first.close(), second.close()]);
  });

  /** Reads, and writes, once both are possible again. @returns ID of a message */
  async function servedAgain(): Promise<number> {
    const { mia, max } = app.cast;
    while ((await app.as(mia).get('/users/me')).status !== 200) await moment(50);
    return sendDirect(app, mia, [max], 'once more');
  }

  it('goes on with the other one when one is gone', async () => {
    expectSuccess(await app.as(app.cast.mia).get('/users/me'));
    first.cut();
    const sent = [await servedAgain()];
    first.mend();
    second.cut();
    sent.push(await servedAgain());
    second.mend();
    expect(await fetchIds(app, app.cast.max, [])).toEqual(expect.arrayContaining(sent));
  });

  it('goes on with the other one when one says nothing any more', async () => {
    first.stall();
    const sent = await servedAgain();
    first.mend();
    expect(await fetchIds(app, app.cast.max, [])).toContain(sent);
  });
});

describeOnPostgres('of several servers', () => {
  let databases: TestDatabase[];
  let standby: string;
  let primary: string;

  beforeAll(async () => {
    databases = [await createTestDatabase('postgres'), await createTestDatabase('postgres')];
    [standby, primary] = databases.map(({ env }) => env['DATABASE_URL']!) as [string, string];
    await set(standby, 'on');
  });

  afterAll(() => Promise.all(databases.map((database) => database.drop())));

  /** Has a database take writes or not. */
  async function set(address: string, readOnly: 'on' | 'off'): Promise<void> {
    const client = new Client({ connectionString: address });
    await client.connect();
    const name = new URL(address).pathname.slice(1);
    await client.query(`SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE`);
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${readOnly}`);
    await client.end();
  }

  it('the one is taken that takes writes, and another one once it does', async () => {
    const hosts = new PostgresHosts([standby, primary]);
    await expect(hosts.choose()).resolves.toBe(primary);
    await set(primary, 'on');
    await set(standby, 'off');
    for (let chosen = primary; chosen === primary; await moment(50)) chosen = await hosts.choose();
    await expect(hosts.choose()).resolves.toBe(standby);
  });

  it('none is taken where all only read', async () => {
    await set(standby, 'on');
    const hosts = new PostgresHosts([standby, 'postgres://postgres@127.0.0.1:1/none']);
    await expect(hosts.choose()).rejects.toMatchObject({ code: '57P03' });
  });
});
