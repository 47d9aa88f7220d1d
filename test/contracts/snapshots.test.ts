import { Logger } from '@nestjs/common';
import { Database } from '../../src/platform/database/database.service';
import type { Queryable } from '../../src/platform/database/queryable';
import { TransactionMisused } from '../../src/platform/database/database.errors';
import { Snapshot } from '../../src/platform/events/snapshot';
import { gate, usePlatform } from '../support/contract-suite';
import { createTestDatabase, engines, hasPostgres } from '../support/test-database';
import type { TestPlatform } from '../support/test-platform';

/** All notes in memory. */
class NoteSnapshot extends Snapshot {
  readonly name = 'notes';
  readonly refreshed: number[][] = [];
  loads = 0;
  failNext = false;
  private readonly texts = new Map<number, string>();

  constructor(platform: TestPlatform) {
    super();
    platform.registry.register(this);
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

if (!hasPostgres) test.todo('snapshots on postgres: TEST_DATABASE_URL names no server');

describe.each(engines)('snapshots on %s', (engine) => {
  const platform = usePlatform(engine);
  let snapshot: NoteSnapshot;

  beforeAll(async () => {
    await platform().transactions.run((tx) => tx.query('INSERT INTO note (text) VALUES (?)', ['old']));
    snapshot = new NoteSnapshot(platform());
    await platform().registry.loadAll();
  });

  it('hold what the tables held at the start, and what was touched since', async () => {
    expect(snapshot.all).toEqual(['old']);
    await addNote(platform(), 'new');
    expect(snapshot.all).toEqual(['new', 'old']);
    expect(snapshot.refreshed).toHaveLength(1);
  });

  it('are up to date before the next exclusive job starts', async () => {
    const { transactions } = platform();
    const jobs = Array.from({ length: 10 }, (_, at) =>
      transactions.runExclusive(async (tx) => {
        const seen = snapshot.all.length;
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
      tx.afterCommit(() => void seen.push(snapshot.all.includes(text)));
      seen.push(snapshot.all.includes(text));
    });
    expect(seen).toEqual([false, true]);
  });

  it('do not change for what was rolled back', async () => {
    const before = snapshot.all;
    const failing = platform().transactions.runExclusive(async (tx) => {
      await tx.query('DELETE FROM note');
      tx.touch('notes', [1, 2, 3]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await platform().registry.catchUp();
    expect(snapshot.all).toEqual(before);
  });

  it('are touched in exclusive jobs only, and by their names', async () => {
    const { transactions } = platform();
    await expect(transactions.run(async (tx) => tx.touch('notes', [1]))).rejects.toThrow(TransactionMisused);
    await expect(transactions.runExclusive(async (tx) => tx.touch('note', [1]))).rejects.toThrow(
      'There is no snapshot note.',
    );
  });

  it('are loaded anew after a refresh failed, as the change is stored all the same', async () => {
    const loads = snapshot.loads;
    snapshot.failNext = true;
    Logger.overrideLogger(false);
    await addNote(platform(), 'stored');
    Logger.overrideLogger(true);
    await platform().registry.catchUp();
    expect(snapshot.loads).toBe(loads + 1);
    expect(snapshot.all).toContain('stored');
  });

  it('load together with other exclusive work going on', async () => {
    await Promise.all([
      addNote(platform(), 'beside a load'),
      platform().registry.loadAll(),
      addNote(platform(), 'after a load'),
    ]);
    expect(snapshot.all).toEqual(expect.arrayContaining(['after a load', 'beside a load']));
  });
});

const describeOnPostgres = hasPostgres ? describe : describe.skip;

describeOnPostgres('snapshots of several nodes', () => {
  const first = usePlatform('postgres');
  let second: TestPlatform;
  let here: NoteSnapshot;
  let there: NoteSnapshot;

  beforeAll(async () => {
    second = await first().anotherNode();
    here = new NoteSnapshot(first());
    there = new NoteSnapshot(second);
    await first().registry.loadAll();
    await second.registry.loadAll();
  });
  afterAll(() => second.stop());

  it('catch up with what another node changed, and only with that', async () => {
    await addNote(first(), 'a');
    await addNote(first(), 'b');
    expect(there.all).toEqual([]);
    await Promise.all([second.registry.catchUp(), second.registry.catchUp(), second.registry.catchUp()]);
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
    await Promise.all([first().registry.catchUp(), second.registry.catchUp()]);
    expect(here.all.filter((text) => text.startsWith('both'))).toHaveLength(40);
    expect(there.all).toEqual(here.all);
    expect(there.loads).toBe(1);
  });

  it('load anew when the log no longer tells all that was missed', async () => {
    await addNote(first(), 'forgotten');
    first().clock.aheadMs = 2 * 86_400_000;
    await addNote(first(), 'remembered');
    await first().expiry.expire();
    await second.registry.catchUp();
    expect(there.all).toEqual(here.all);
    expect(there.loads).toBe(2);
  });

  it('open an empty database together', async () => {
    const empty = await createTestDatabase('postgres');
    const nodes = await Promise.all([1, 2, 3].map(() => Database.open(empty.options([]))));
    const [row] = await (nodes[0] as Database).read.query<object>('SELECT version FROM directory_version');
    await Promise.all(nodes.map((node) => node.close()));
    await empty.drop();
    expect(row).toEqual({ version: 0 });
  });
});
