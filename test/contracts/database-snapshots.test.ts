import { Audience } from '../../src/platform/events/audience';
import type { DatabaseSnapshot } from '../../src/platform/database/snapshots/database-snapshot';
import { SnapshotEnded } from '../../src/platform/database/database.errors';
import { ServerBusy } from '../../src/platform/errors/request.errors';
import type { Queryable } from '../../src/platform/sql/queryable';
import { Directory } from '../../src/platform/events/directories';
import { gate, usePlatform } from '../support/contract-suite';
import { Note } from '../support/note.entity';
import { createTestDatabase, engines, hasPostgres } from '../support/test-database';
import { TestPlatform } from '../support/test-platform';

const audience = Audience.of([1]);

/** Writes a note and the event about it. */
async function addNote(platform: TestPlatform, text: string): Promise<void> {
  await platform.transactions.run(async (tx) => {
    await tx.query('INSERT INTO note (text) VALUES (?)', [text]);
    tx.emit({ type: 'note', text }, audience);
  });
}

async function textsIn(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ text: string }>('SELECT text FROM note ORDER BY text');
  return rows.map((row) => row.text);
}

/** The notes that the events up to a number speak of. */
async function textsOfEvents(platform: TestPlatform, upTo: number): Promise<string[]> {
  const logged = await platform.eventLog.readAfter(0, 10_000);
  const texts = logged.filter(({ number, type }) => type === 'note' && number <= upTo);
  return texts.map(({ event }) => String(event.text)).sort();
}

/** Notes what the directories say while it changes what this holds. */
class WatchingDirectory extends Directory {
  readonly name = 'watching';
  readonly seen: (number | null)[] = [];

  constructor(private readonly platform: TestPlatform) {
    super();
    platform.directories.register(this);
  }

  async load(): Promise<void> {
    this.seen.push(this.platform.directories.version);
  }

  async refresh(): Promise<void> {
    this.seen.push(this.platform.directories.version);
  }
}

function changeDirectory(platform: TestPlatform): Promise<void> {
  return platform.transactions.runExclusive(async (tx) => tx.touch('watching', [1]));
}

if (!hasPostgres) test.todo('snapshots of the database on postgres: TEST_DATABASE_URL names no server');

describe.each(engines)('a snapshot of the database on %s', (engine) => {
  const platform = usePlatform(engine, { entities: [Note], limits: { maxSnapshots: 3 } });
  let watching: WatchingDirectory;

  beforeAll(async () => {
    watching = new WatchingDirectory(platform());
    await platform().directories.loadAll();
  });

  it('sees nothing that is committed later, in any table', async () => {
    await addNote(platform(), 'before');
    const snapshot = await platform().database.openSnapshot();
    await addNote(platform(), 'later');
    await changeDirectory(platform());
    await expect(textsIn(snapshot.db)).resolves.toEqual(['before']);
    const [row] = await snapshot.db.query<object>(
      'SELECT version, (SELECT MAX(number) FROM event_log) AS number FROM directory_version',
    );
    expect(row).toEqual({ version: snapshot.directoryVersion, number: snapshot.eventNumber });
    await snapshot.close();
    const next = await platform().database.openSnapshot();
    await expect(textsIn(next.db)).resolves.toEqual(['before', 'later']);
    expect(next.directoryVersion).toBeGreaterThan(snapshot.directoryVersion);
    await next.close();
  });

  it('holds every change up to its event number and none after it, while others write', async () => {
    const isLive = { value: true };
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      for (let at = 0; isLive.value; at++) await addNote(platform(), `${writer}, ${at}`);
    });
    const directoryWriter = (async () => {
      while (isLive.value) await changeDirectory(platform());
    })();
    const views: { seen: string[]; eventNumber: number }[] = [];
    const reader = async () => {
      for (let at = 0; at < 25; at++) {
        const snapshot = await platform().database.openSnapshot();
        views.push({ seen: await textsIn(snapshot.db), eventNumber: snapshot.eventNumber });
        await snapshot.close();
      }
    };
    await Promise.all([reader(), reader(), reader(), reader()]);
    isLive.value = false;
    await Promise.all([...writers, directoryWriter]);
    expect(views).toHaveLength(100);
    for (const { seen, eventNumber } of views) {
      expect(seen).toEqual(await textsOfEvents(platform(), eventNumber));
    }
  });

  it('has an event number that readers of the log reach at once', async () => {
    await addNote(platform(), 'reached');
    const snapshot = await platform().database.openSnapshot();
    await snapshot.close();
    await expect(platform().eventLog.lastNumber()).resolves.toBe(snapshot.eventNumber);
  });

  it('has the version that the directories in memory hold, unless one of them moved on', async () => {
    const { directories, database } = platform();
    await directories.catchUp();
    const before = directories.version;
    expect(before).not.toBeNull();
    const first = await database.openSnapshot();
    expect(first.directoryVersion).toBe(before);
    await changeDirectory(platform());
    expect(directories.version).toBeGreaterThan(before ?? 0);
    const second = await database.openSnapshot();
    expect(second.directoryVersion).toBe(directories.version);
    await Promise.all([first.close(), second.close()]);
    // No version is told while the directories change.
    expect(new Set(watching.seen)).toEqual(new Set([null]));
  });

  it('serves entity repositories, lists and bytes, and refuses to write', async () => {
    const { database, transactions } = platform();
    const picture = Buffer.from([1, 2, 3]);
    await transactions.run((tx) =>
      tx.query('INSERT INTO note (text, picture) VALUES (?, ?)', ['with a picture', picture]),
    );
    const { db, close } = bound(await database.openSnapshot());
    const note = await db.repository(Note).findOneByOrFail({ text: 'with a picture' });
    expect(note).toBeInstanceOf(Note);
    const [row] = await db.query<{ picture: Buffer }>('SELECT picture FROM note WHERE picture IN (?, ?)', [
      picture,
      Buffer.from([9]),
    ]);
    expect(row?.picture).toEqual(picture);
    await expect(
      db.query('SELECT id FROM note WHERE text IN (?)', [['with a picture', 'no such']]),
    ).resolves.toEqual([{ id: note.id }]);
    await expect(db.query('DELETE FROM note')).rejects.toThrow(/read-?only/);
    await close();
  });

  it('waits in line when others are open, and is admitted when one of them closes', async () => {
    const { database } = platform();
    const open = await Promise.all([1, 2, 3].map(() => database.openSnapshot()));
    let isOpen = false;
    const fourth = database.openSnapshot().then((snapshot) => {
      isOpen = true;
      return snapshot;
    });
    // Time enough for one that does not wait.
    await textsIn((open[0] as DatabaseSnapshot).db);
    await addNote(platform(), 'while one waits');
    expect(isOpen).toBe(false);
    await open[1]?.close();
    await open[1]?.close();
    await expect(textsIn((await fourth).db)).resolves.toContain('while one waits');
    await Promise.all([...open, await fourth].map((snapshot) => snapshot.close()));
  });

  it('is of no use once it is closed', async () => {
    const snapshot = await platform().database.openSnapshot();
    const repository = snapshot.db.repository(Note);
    await snapshot.close();
    await expect(snapshot.db.query('SELECT 1')).rejects.toThrow(SnapshotEnded);
    await expect(repository.find()).rejects.toThrow(SnapshotEnded);
  });
});

/** Lets `close` be taken out of the object. */
function bound(snapshot: DatabaseSnapshot): { db: Queryable; close: () => Promise<void> } {
  return { db: snapshot.db, close: () => snapshot.close() };
}

describe.each(engines)('a snapshot that is held for too long on %s', (engine) => {
  const platform = usePlatform(engine, { limits: { maxSnapshots: 1, maxSnapshotMs: 100 } });

  it('ends, and the next one in line is admitted', async () => {
    const { database } = platform();
    const held = await database.openSnapshot();
    const next = await database.openSnapshot();
    await expect(held.db.query('SELECT 1')).rejects.toThrow('It was still open after 100 ms.');
    await expect(next.db.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    await held.close();
    await next.close();
  });
});

describe.each(engines)('a database on %s that closes', (engine) => {
  it('ends the snapshots and refuses those who wait for one', async () => {
    const database = await createTestDatabase(engine);
    const platform = await TestPlatform.start(database, { limits: { maxSnapshots: 1 } });
    const open = await platform.database.openSnapshot();
    const waiting = platform.database.openSnapshot();
    const asked = platform.database.background.query('SELECT 1 AS one');
    const refused = waiting.catch((error: unknown) => error);
    await Promise.all([expect(asked).resolves.toEqual([{ one: 1 }]), platform.stop()]);
    await expect(refused).resolves.toBeInstanceOf(ServerBusy);
    await expect(open.db.query('SELECT 1')).rejects.toThrow(SnapshotEnded);
    await expect(platform.database.openSnapshot()).rejects.toThrow(ServerBusy);
    await database.drop();
  });
});

const describeOnPostgres = hasPostgres ? describe : describe.skip;

describeOnPostgres('a snapshot of the database on PostgreSQL', () => {
  const platform = usePlatform('postgres');

  it('waits for a number under way, and goes past a transaction that has none yet', async () => {
    const { database, transactions } = platform();
    const held = gate();
    const started = gate();
    const holding = transactions.run(async (tx) => {
      await tx.query(`INSERT INTO note (text) VALUES ('held')`);
      tx.emit({ type: 'note', text: 'held' }, audience);
      started.open();
      await held.opened;
    });
    await started.opened;
    const before = await database.openSnapshot();
    await expect(textsIn(before.db)).resolves.toEqual([]);
    held.open();
    await holding;
    const after = await database.openSnapshot();
    expect(after.eventNumber).toBeGreaterThan(before.eventNumber);
    await expect(textsIn(after.db)).resolves.toEqual(['held']);
    await Promise.all([before.close(), after.close()]);
  });

  it('tells the version of this node only when nothing was read past it', async () => {
    const second = await platform().anotherNode();
    const here = new WatchingDirectory(platform());
    const there = new WatchingDirectory(second);
    await platform().directories.loadAll();
    await second.directories.loadAll();
    const before = second.directories.version;
    await changeDirectory(platform());
    const after = platform().directories.version;
    expect(after).toBeGreaterThan(before ?? 0);
    expect(second.directories.version).toBe(before);
    await second.directories.catchUp();
    expect(second.directories.version).toBe(after);
    expect([...here.seen, ...there.seen].filter((version) => version !== null)).toEqual([]);
    await second.stop();
  });
});
