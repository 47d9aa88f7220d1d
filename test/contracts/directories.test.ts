import { Logger } from '@nestjs/common';
import { Database } from '../../src/platform/database/database.service';
import type { Queryable } from '../../src/platform/sql/queryable';
import { TransactionMisused } from '../../src/platform/database/database.errors';
import { Directory } from '../../src/platform/events/directories';
import { gate, usePlatform } from '../support/contract-suite';
import { createTestDatabase, engines, hasPostgres } from '../support/test-database';
import type { TestPlatform } from '../support/test-platform';

/** All notes in memory. */
class NoteDirectory extends Directory {
  readonly name = 'notes';
  readonly refreshed: number[][] = [];
  loads = 0;
  failNext = false;
  private readonly texts = new Map<number, string>();

  constructor(platform: TestPlatform) {
    super();
    platform.directories.register(this);
  }

  get all(): string[] {
    return [...this.texts.values()].sort();
  }

  async load(db: Queryable): Promise<void> {
    const rows = await db.query<{ id: number; text: string }>('SELECT id, text FROM note');
    this.loads++;
    this.texts.clear();
    for (const row of rows) this.texts.set(row.id, row.text);
  }

  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    if (this.failNext) {
      this.failNext = false;
      throw new Error('The refresh fails.');
    }
    const rows = await db.query<{ id: number; text: string }>('SELECT id, text FROM note WHERE id IN (?)', [
      ids,
    ]);
    this.refreshed.push([...ids]);
    for (const id of ids) this.texts.delete(id);
    for (const row of rows) this.texts.set(row.id, row.text);
  }
}

async function addNote(platform: TestPlatform, text: string): Promise<void> {
  await platform.transactions.runExclusive(async (tx) => {
    const [row] = await tx.query<{ id: number }>('INSERT INTO note (text) VALUES (?) RETURNING id', [text]);
    tx.touch('notes', [row?.id ?? 0]);
  });
}

if (!hasPostgres) test.todo('directories on postgres: TEST_DATABASE_URL names no server');

describe.each(engines)('directories on %s', (engine) => {
  const platform = usePlatform(engine);
  let directory: NoteDirectory;

  beforeAll(async () => {
    await platform().transactions.run((tx) => tx.query('INSERT INTO note (text) VALUES (?)', ['old']));
    directory = new NoteDirectory(platform());
    await platform().directories.loadAll();
  });

  it('hold what the tables held at the start, and what was touched since', async () => {
    expect(directory.all).toEqual(['old']);
    await addNote(platform(), 'new');
    expect(directory.all).toEqual(['new', 'old']);
    expect(directory.refreshed).toHaveLength(1);
  });

  it('are up to date before the next exclusive job starts', async () => {
    const { transactions } = platform();
    const jobs = Array.from({ length: 10 }, (_, at) =>
      transactions.runExclusive(async (tx) => {
        const seen = directory.all.length;
        const [row] = await tx.query<{ id: number }>('INSERT INTO note (text) VALUES (?) RETURNING id', [
          `${at}`,
        ]);
        tx.touch('notes', [row?.id ?? 0]);
        return seen;
      }),
    );
    const seen = await Promise.all(jobs);
    expect(seen).toEqual(Array.from({ length: 10 }, (_, at) => 2 + at));
  });

  it('are up to date for what is to happen after the commit', async () => {
    const text = 'for what follows';
    const seen: boolean[] = [];
    await platform().transactions.runExclusive(async (tx) => {
      const [row] = await tx.query<{ id: number }>('INSERT INTO note (text) VALUES (?) RETURNING id', [text]);
      tx.touch('notes', [row?.id ?? 0]);
      tx.afterCommit(() => void seen.push(directory.all.includes(text)));
      seen.push(directory.all.includes(text));
    });
    expect(seen).toEqual([false, true]);
  });

  it('do not change for what was rolled back', async () => {
    const before = directory.all;
    const failing = platform().transactions.runExclusive(async (tx) => {
      await tx.query('DELETE FROM note');
      tx.touch('notes', [1, 2, 3]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await platform().directories.catchUp();
    expect(directory.all).toEqual(before);
  });

  it('are touched in exclusive jobs only, and by their names', async () => {
    const { transactions } = platform();
    await expect(transactions.run(async (tx) => tx.touch('notes', [1]))).rejects.toThrow(TransactionMisused);
    await expect(transactions.runExclusive(async (tx) => tx.touch('note', [1]))).rejects.toThrow(
      'Unknown directory note.',
    );
  });

  it('are loaded anew after a refresh failed, as the change is stored all the same', async () => {
    const loads = directory.loads;
    directory.failNext = true;
    Logger.overrideLogger(false);
    await addNote(platform(), 'stored');
    Logger.overrideLogger(true);
    await platform().directories.catchUp();
    expect(directory.loads).toBe(loads + 1);
    expect(directory.all).toContain('stored');
  });

  it('load together with other exclusive work going on', async () => {
    await Promise.all([
      addNote(platform(), 'beside a load'),
      platform().directories.loadAll(),
      addNote(platform(), 'after a load'),
    ]);
    expect(directory.all).toEqual(expect.arrayContaining(['after a load', 'beside a load']));
  });
});

const describeOnPostgres = hasPostgres ? describe : describe.skip;

describeOnPostgres('directories of several nodes', () => {
  const first = usePlatform('postgres');
  let second: TestPlatform;
  let here: NoteDirectory;
  let there: NoteDirectory;

  beforeAll(async () => {
    second = await first().anotherNode();
    here = new NoteDirectory(first());
    there = new NoteDirectory(second);
    await first().directories.loadAll();
    await second.directories.loadAll();
  });
  afterAll(() => second.stop());

  it('catch up with what another node changed, and only with that', async () => {
    await addNote(first(), 'a');
    await addNote(first(), 'b');
    expect(there.all).toEqual([]);
    await Promise.all([
      second.directories.catchUp(),
      second.directories.catchUp(),
      second.directories.catchUp(),
    ]);
    expect(there.all).toEqual(['a', 'b']);
    expect(there.refreshed).toHaveLength(1);
    expect(there.loads).toBe(1);
  });

  it('are caught up inside an exclusive job of another node, which waits for the first', async () => {
    const held = gate();
    const started = gate();
    const holding = first().transactions.runExclusive(async (tx) => {
      const [row] = await tx.query<{ id: number }>(`INSERT INTO note (text) VALUES ('held') RETURNING id`);
      tx.touch('notes', [row?.id ?? 0]);
      started.open();
      await held.opened;
    });
    await started.opened;
    const seen = second.transactions.runExclusive(async () => there.all);
    held.open();
    await holding;
    await expect(seen).resolves.toContain('held');
    expect(here.all).toContain('held');
  });

  it('never disagree after many changes on both nodes', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, at) => addNote(at % 2 === 0 ? first() : second, `both ${at}`)),
    );
    await Promise.all([first().directories.catchUp(), second.directories.catchUp()]);
    expect(here.all.filter((text) => text.startsWith('both'))).toHaveLength(40);
    expect(there.all).toEqual(here.all);
    expect(there.loads).toBe(1);
  });

  it('load anew when the log no longer tells all that was missed', async () => {
    await addNote(first(), 'forgotten');
    first().clock.aheadMs = 2 * 86_400_000;
    await addNote(first(), 'remembered');
    await first().expiry.expire();
    await second.directories.catchUp();
    expect(there.all).toEqual(here.all);
    expect(there.loads).toBe(2);
  });

  it('open an empty database together', async () => {
    const empty = await createTestDatabase('postgres');
    const nodes = await Promise.all([1, 2, 3].map(() => Database.open(empty.options({}))));
    const [row] = await (nodes[0] as Database).read.query<object>('SELECT version FROM directory_version');
    await Promise.all(nodes.map((node) => node.close()));
    await empty.drop();
    expect(row).toEqual({ version: 0 });
  });
});
