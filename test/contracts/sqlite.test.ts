import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CommitFailed,
  DatabaseInUse,
  DatabaseUnavailable,
} from '../../src/platform/database/database.errors';
import { Database } from '../../src/platform/database/database.service';
import { loadSqliteDriver } from '../../src/platform/database/sqlite/sqlite-driver';
import type { Transaction } from '../../src/platform/database/transaction.service';
import { notes, usePlatform } from '../support/contract-suite';
import { sqliteDrivers } from '../support/test-database';

const ADD = 'INSERT INTO note (text) VALUES (?)';

/** Starts a process that has the file and writes notes without end, telling the number of each once it is acknowledged. */
async function startWriter(folder: string, driver: string): Promise<ChildProcess> {
  const writer = fork(join(__dirname, '../support/note-writer.ts'), [], {
    execArgv: ['-r', 'tsx/cjs'],
    env: { ...process.env, DATA_DIR: folder, SQLITE_DRIVER: driver },
  });
  await once(writer, 'message');
  return writer;
}

describe.each(sqliteDrivers)('a SQLite file on %s', (driver) => {
  const platform = usePlatform(driver);
  const texts = () => notes(platform());

  it('has the driver that was asked for', () => {
    expect(platform().database.driver).toBe(driver);
    expect(loadSqliteDriver('auto').name).toBe(sqliteDrivers[0]);
  });

  it('is open in the way that keeps what was acknowledged', async () => {
    const ask = (name: string) => platform().transactions.run((tx) => tx.query<object>(`PRAGMA ${name}`));
    await expect(ask('journal_mode')).resolves.toEqual([{ journal_mode: 'wal' }]);
    await expect(ask('synchronous')).resolves.toEqual([{ synchronous: 2 }]);
    await expect(ask('foreign_keys')).resolves.toEqual([{ foreign_keys: 1 }]);
    await expect(ask('busy_timeout')).resolves.toEqual([{ timeout: 5_000 }]);
  });

  it('fails everybody in the commit when storage runs out, and recovers', async () => {
    const { transactions } = platform();
    await transactions.run((tx) => tx.query('CREATE TABLE heap (text TEXT)'));
    const fill = async (tx: Transaction) => {
      await tx.query('PRAGMA max_page_count = 1');
      // Without an index, SQLite answers a full disk by rolling back everything since BEGIN.
      for (let at = 0; at < 100; at++) await tx.query('INSERT INTO heap VALUES (?)', ['-'.repeat(5_000)]);
    };
    const [neighbour, filling] = await Promise.allSettled([
      transactions.run((tx) => tx.query(ADD, ['neighbour'])),
      transactions.run(fill),
    ]);
    expect(filling).toMatchObject({ status: 'rejected', reason: { driverError: { code: 'SQLITE_FULL' } } });
    expect(neighbour).toMatchObject({ status: 'rejected', reason: expect.any(CommitFailed) });
    await expect(texts()).resolves.toEqual([]);
    await transactions.run((tx) => tx.query('PRAGMA max_page_count = 1000000'));
    await transactions.run((tx) => tx.query(ADD, ['afterwards']));
    await expect(texts()).resolves.toEqual(['afterwards']);
  });

  it('goes on in a transaction of its own when work swallowed the loss of the shared one', async () => {
    const { transactions } = platform();
    const swallowing = transactions.run(async (tx) => {
      await tx.query('ROLLBACK');
      await tx.query('SAVEPOINT no_such').catch(() => undefined);
      await tx.query(ADD, ['outside of any transaction']).catch(() => undefined);
    });
    // By its code: the driver keeps the class of its errors from the first test file that loaded it.
    await expect(swallowing).rejects.toMatchObject({ code: 'SQLITE_ERROR' });
    await transactions.run((tx) => tx.query(ADD, ['next']));
    await expect(texts()).resolves.toContain('next');
  });
});

describe.each(sqliteDrivers)('the owner of a SQLite file on %s', (driver) => {
  let folder: string;

  const options = () =>
    ({
      engine: 'sqlite',
      file: join(folder, 'parley.db'),
      driver,
      synchronous: 'full',
      entities: [],
    }) as const;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('keeps others out until it closes', async () => {
    const owner = await Database.open(options());
    await expect(Database.open(options())).rejects.toThrow(DatabaseInUse);
    await owner.close();
    const next = await Database.open(options());
    await next.close();
  });

  it('says that a file is no database', async () => {
    writeFileSync(join(folder, 'parley.db'), 'This is a letter. '.repeat(1_000));
    const opening = Database.open(options());
    await expect(opening).rejects.toThrow(DatabaseUnavailable);
    await expect(opening).rejects.toThrow('parley.db is damaged or not a database');
  });

  it('loses neither its writes nor the way back in when it is killed', async () => {
    const writer = await startWriter(folder, driver);
    let acknowledged = 0;
    writer.on('message', (count: number) => (acknowledged = count));
    await expect(Database.open(options())).rejects.toThrow('is in use by another process');
    while (acknowledged < 500) await once(writer, 'message');
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const database = await Database.open(options());
    const [row] = await database.read.query<{ count: number }>('SELECT COUNT(*) AS count FROM note');
    const [check] = await database.read.query<object>('PRAGMA integrity_check');
    await database.close();
    expect(row?.count).toBeGreaterThanOrEqual(acknowledged);
    expect(check).toEqual({ integrity_check: 'ok' });
  });
});
