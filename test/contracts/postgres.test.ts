import { Audience } from '../../src/platform/events/audience';
import { driverCode } from '../../src/platform/database/database.errors';
import { gate, notes, usePlatform } from '../support/contract-suite';
import type { PostgresOptions } from '../../src/platform/database/database.options';
import { createTestDatabase, hasPostgres } from '../support/test-database';
import { TestPlatform } from '../support/test-platform';

const RENAME = 'UPDATE note SET text = text || ? WHERE id = ?';

if (!hasPostgres) test.todo('PostgreSQL: TEST_DATABASE_URL names no server');

const describeOnPostgres = hasPostgres ? describe : describe.skip;

describeOnPostgres('writing to PostgreSQL', () => {
  const platform = usePlatform('postgres', { limits: { maxAttempts: 3 } });

  beforeEach(async () => {
    await platform().transactions.run(async (tx) => {
      await tx.query('TRUNCATE note RESTART IDENTITY CASCADE');
      await tx.query(`INSERT INTO note (text) VALUES ('a'), ('b')`);
    });
  });

  it('tries again what had to give way to another, and stores it, its events and what follows once', async () => {
    const { transactions, eventLog } = platform();
    const before = await eventLog.lastNumber();
    let tries = 0;
    const followed: number[] = [];
    const started = [gate(), gate()];
    const rename = (own: number, firstId: number, secondId: number) =>
      transactions.run(async (tx) => {
        tries++;
        tx.emit({ type: 'renamed', own }, Audience.of([own]));
        tx.afterCommit(() => void followed.push(own));
        await tx.query(RENAME, [`${own}`, firstId]);
        started[own]?.open();
        await started[1 - own]?.opened;
        await tx.query(RENAME, [`${own}`, secondId]);
      });
    await Promise.all([rename(0, 1, 2), rename(1, 2, 1)]);
    expect(tries).toBe(3);
    expect(followed.sort()).toEqual([0, 1]);
    expect((await notes(platform())).map((text) => [...text].sort().join(''))).toEqual(['01a', '01b']);
    await expect(eventLog.readAfter(before, 10)).resolves.toHaveLength(2);
  });

  it('gives up after so many tries', async () => {
    let tries = 0;
    const refused = platform().transactions.run(async (tx) => {
      tries++;
      await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
    });
    await expect(refused.catch((error: unknown) => driverCode(error))).resolves.toBe('40001');
    expect(tries).toBe(3);
  });

  it('goes on after a connection was lost', async () => {
    const { transactions } = platform();
    const cutOff = transactions.run(async (tx) => {
      await tx.query(RENAME, ['!', 1]);
      await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    await expect(cutOff).rejects.toThrow();
    await transactions.run((tx) => tx.query(RENAME, ['?', 1]));
    await expect(notes(platform())).resolves.toContain('a?');
  });

  it('keeps other exclusive work of this node from taking all connections', async () => {
    const { transactions, database } = platform();
    const held = gate();
    const holding = transactions.runExclusive(() => held.opened);
    const waiting = Array.from({ length: 30 }, () => transactions.runExclusive((tx) => tx.query('SELECT 1')));
    await transactions.run((tx) => tx.query(RENAME, ['+', 2]));
    await expect(database.read.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    held.open();
    await Promise.all([holding, ...waiting]);
    await expect(notes(platform())).resolves.toContain('b+');
  });

  it('reads sums, counts and large numbers as numbers', async () => {
    const [row] = await platform().database.read.query<object>(
      'SELECT COUNT(*) AS count, SUM(id) AS sum, SUM(id::bigint) AS wide, 4102444800000::bigint AS time FROM note',
    );
    expect(row).toEqual({ count: 2, sum: 3, wide: 3, time: 4_102_444_800_000 });
  });
});

describeOnPostgres('a client that waits for answers to PostgreSQL for so long', () => {
  it('gives up what takes longer, and no connection on which statements were answered in time', async () => {
    const database = await createTestDatabase('postgres');
    const options = database.options({ entities: [] }) as PostgresOptions;
    const node = await TestPlatform.open({ ...options, url: `${options.url}?query_timeout=1000` });
    await node.transactions.run(async (tx) => {
      // Beyond the time of those that came first.
      for (let at = 0; at < 4; at++) await tx.query('SELECT pg_sleep(0.4)');
    });
    await expect(node.database.read.query('SELECT pg_sleep(20)')).rejects.toThrow('Query read timeout');
    await expect(node.database.read.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await node.stop();
    await database.drop();
  });
});
