import { setTimeout as pause } from 'node:timers/promises';
import { ServerBusy, RequestTookTooLong } from '../../src/platform/errors/request.errors';
import { asApiError } from '../../src/platform/http/error-answer';
import { driverCode, ReadThreadEnded, SnapshotEnded } from '../../src/platform/database/database.errors';
import { DEFAULT_LIMITS } from '../../src/platform/database/database.options';
import { SnapshotLine, SqliteViews } from '../../src/platform/database/snapshots/database-snapshot';
import type { Database } from '../../src/platform/database/database.service';
import { loadSqliteDriver } from '../../src/platform/database/sqlite/sqlite-driver';
import type { Queryable } from '../../src/platform/sql/queryable';
import { READ_PRAGMAS } from '../../src/platform/database/data-source.options';
import {
  type RunningReadThread,
  SqliteReadThread,
} from '../../src/platform/database/sqlite/sqlite-read-thread';
import { usePlatform } from '../support/contract-suite';
import { Note } from '../support/note.entity';
import { engines, hasPostgres, sqliteDrivers } from '../support/test-database';

const ADD = 'INSERT INTO note (text) VALUES (?)';

/** Takes a moment, on both engines. */
const SLOW = `WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < 300000)
  SELECT COUNT(*) AS count FROM counter`;

const LIMIT_MS = 2_000;

/** On SQLite, waits for as long as {@link lockOf} is held, up to five seconds; on PostgreSQL, for six. */
async function waitIn(db: Queryable): Promise<object[]> {
  if (db.engine === 'postgres') return db.query('SELECT pg_sleep(6)');
  await db.query('PRAGMA query_only = OFF');
  return db.query('BEGIN IMMEDIATE');
}

/** Holds the lock of whoever writes a SQLite file, as long as it is open. */
function lockOf({ driver, writeSource }: Database): { close(): void } {
  if (driver === 'pg') return { close: () => undefined };
  const { Connection } = loadSqliteDriver(driver);
  const connection = new Connection((writeSource.options as { database: string }).database);
  connection.exec('BEGIN IMMEDIATE');
  return connection;
}

if (!hasPostgres) test.todo('background reads on postgres: TEST_DATABASE_URL names no server');

describe.each(engines)('background reads on %s', (engine) => {
  const platform = usePlatform(engine, { entities: [Note], limits: { maxReadMs: LIMIT_MS } });

  it('see what was committed before', async () => {
    const { database, transactions } = platform();
    for (const text of ['a', 'b', 'c']) {
      await transactions.run((tx) => tx.query(ADD, [text]));
      const [row] = await database.background.query<{ text: string }>('SELECT MAX(text) AS text FROM note');
      expect(row).toEqual({ text });
    }
  });

  it('let others be answered while one takes long', async () => {
    const { database, transactions } = platform();
    const answered: string[] = [];
    const slow = database.background.query(SLOW).then((rows) => {
      answered.push('slow');
      return rows;
    });
    await transactions.run((tx) => tx.query(ADD, ['d']));
    await database.read.query('SELECT text FROM note');
    answered.push('quick');
    await expect(slow).resolves.toEqual([{ count: 300_000 }]);
    expect(answered).toEqual(['quick', 'slow']);
  });

  it('give the same rows as other reads, entities included', async () => {
    const { database, transactions } = platform();
    await transactions.run((tx) =>
      tx.query('INSERT INTO note (text, picture) VALUES (?, ?)', ['ü 🎈', Buffer.from([0, 255])]),
    );
    const sql = 'SELECT id, text, picture FROM note WHERE text <> ? ORDER BY id DESC LIMIT ?';
    const here = await database.read.query(sql, ['a', 2]);
    const there = await database.background.query<{ picture: Buffer | null }>(sql, ['a', 2]);
    expect(there).toEqual(here);
    expect(Buffer.isBuffer(there[0]?.picture)).toBe(true);
    expect(there[1]?.picture).toBeNull();
    const notes = await database.background.repository(Note).find({ order: { id: 'DESC' } });
    expect(notes).toEqual(await database.read.repository(Note).find({ order: { id: 'DESC' } }));
    expect(notes[0]).toBeInstanceOf(Note);
  });

  it('are given up when they take too long, unless the operator is to wait for them', async () => {
    const { database } = platform();
    const lock = lockOf(database);
    const failed = waitIn(database.background).catch(asApiError);
    await expect(failed).resolves.toBeInstanceOf(RequestTookTooLong);
    await expect(database.background.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    const patient = database.longReads(waitIn);
    await pause(1.5 * LIMIT_MS);
    lock.close();
    await expect(patient).resolves.toBeDefined();
    if (engine === 'postgres') {
      const [setting] = await database.read.query<{ statement_timeout: string }>('SHOW statement_timeout');
      expect(setting?.statement_timeout).toBe('2s');
    }
  });

  it('fail as other reads do, and go on', async () => {
    const { database } = platform();
    const wrong = [
      'SELECT no_such FROM note',
      'SELEC',
      `INSERT INTO note (text) VALUES ('written')`,
      'SELECT text FROM no_such',
    ];
    for (const sql of wrong) {
      const codeOf = (error: unknown) => driverCode(error) ?? 'none';
      const there = await database.background.query(sql).catch(codeOf);
      expect(there).toBe(await database.read.query(sql).catch(codeOf));
      expect(typeof there).toBe('string');
    }
    await expect(database.background.query('SELECT ? AS value')).rejects.toThrow(TypeError);
    await expect(database.background.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });
});

describe.each(sqliteDrivers)('the thread that reads a SQLite file on %s', (driver) => {
  const platform = usePlatform(driver);
  let thread: SqliteReadThread;

  beforeEach(() => {
    const { database } = platform().database.writeSource.options as { database: string };
    thread = new SqliteReadThread(
      { driver, file: database, pragmas: READ_PRAGMAS },
      platform().database.place,
    );
  });
  afterEach(() => thread.close());

  /** What the thread does not understand ends it, as any mistake in it would. */
  function crash(running: RunningReadThread): void {
    (Reflect.get(running, 'worker') as { postMessage(value: unknown): void }).postMessage(null);
  }

  it('answers in order', async () => {
    const answered: number[] = [];
    const texts = [SLOW, 'SELECT 1 AS one', SLOW, 'SELECT 2 AS two'];
    await Promise.all(
      texts.map(async (text, at) => {
        await thread.running().query(0, text);
        answered.push(at);
      }),
    );
    expect(answered).toEqual([0, 1, 2, 3]);
  });

  it('fails what waited when it crashes, and another one serves what comes next', async () => {
    const running = thread.running();
    crash(running);
    const lost = [running.query(0, 'SELECT 1'), running.query(1, 'SELECT 1')];
    for (const query of lost) await expect(query).rejects.toThrow(ReadThreadEnded);
    await expect(running.query(0, 'SELECT 1')).rejects.toThrow(ReadThreadEnded);
    expect(thread.running()).not.toBe(running);
    await expect(thread.running().query(0, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });

  it('is left to itself by what waits when a statement takes too long, but not again and again', async () => {
    const { database } = platform().database.writeSource.options as { database: string };
    const pragmas = ['busy_timeout = 60000'];
    const limited = new SqliteReadThread(
      { driver, file: database, pragmas },
      platform().database.place,
      LIMIT_MS,
    );
    const lock = lockOf(platform().database);
    for (let times = 0; times < 2; times++) {
      const late = limited.query('BEGIN IMMEDIATE');
      const behind = [limited.query('SELECT 1 AS one'), limited.query('SELECT 2 AS two')];
      await expect(late).rejects.toThrow(RequestTookTooLong);
      if (times === 0) await expect(Promise.all(behind)).resolves.toEqual([[{ one: 1 }], [{ two: 2 }]]);
      else for (const one of behind) await expect(one).rejects.toThrow(ServerBusy);
    }
    await expect(limited.query('SELECT 1 AS one')).rejects.toThrow(ServerBusy);
    lock.close();
    await limited.close();
    expect(() => limited.running()).toThrow('The database is closed.');
  });

  it('takes the snapshots that were open with it, so that none reads on without its transaction', async () => {
    const views = new SqliteViews(thread, platform().database.writeSource);
    const line = new SnapshotLine('sqlite', views, DEFAULT_LIMITS);
    const before = await line.open();
    crash(thread.running());
    await expect(before.db.query('SELECT 1')).rejects.toThrow(ReadThreadEnded);
    const after = await line.open();
    await expect(before.db.query('SELECT 1')).rejects.toThrow(ReadThreadEnded);
    await before.close();
    await expect(before.db.query('SELECT 1')).rejects.toThrow(SnapshotEnded);
    await expect(after.db.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await line.close();
  });

  it('answers what was asked before it closes, and nothing afterwards', async () => {
    const asked = thread.running().query(0, SLOW);
    await thread.close();
    await expect(asked).resolves.toEqual([{ count: 300_000 }]);
    expect(() => thread.running()).toThrow('The database is closed.');
  });
});
