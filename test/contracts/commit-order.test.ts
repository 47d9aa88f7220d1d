import { setImmediate as nextTurn } from 'node:timers/promises';
import { Audience } from '../../src/platform/events/audience';
import type { EventLog } from '../../src/platform/events/event-log.service';
import { gate, usePlatform } from '../support/contract-suite';
import { engines, hasPostgres } from '../support/test-database';

const audience = Audience.of([1]);

/** Reads as a node does: it never looks behind the last number it saw. */
class Reader {
  readonly seen: string[] = [];
  rises = true;
  private last = 0;

  constructor(private readonly log: EventLog) {}

  async read(): Promise<void> {
    const logged = await this.log.readAfter(this.last, 1_000);
    for (const entry of logged) {
      this.rises &&= entry.number > this.last;
      this.last = entry.number;
      this.seen.push(String(entry.event.text));
    }
  }
}

if (!hasPostgres) test.todo('numbers of events on postgres: TEST_DATABASE_URL names no server');

describe.each(engines)('numbers of events on %s', (engine) => {
  const platform = usePlatform(engine);

  it('let a reader miss nothing while transactions are held open and others commit', async () => {
    const { transactions, eventLog } = platform();
    const reader = new Reader(eventLog);
    await reader.read();
    const held = gate();
    const holding = ['held 1', 'held 2', 'held 3'].map((text) =>
      transactions.run(async (tx) => {
        tx.emit({ type: 'note', text }, audience);
        await tx.query('INSERT INTO note (text) VALUES (?)', [text]);
        await held.opened;
      }),
    );
    const writing = Array.from({ length: 200 }, (_, at) =>
      transactions.run(async (tx) => {
        tx.emit({ type: 'note', text: `${at}` }, audience);
        if (at % 5 === 0) throw new Error('fails after emitting');
      }),
    );
    let isDone = false;
    const reading = (async () => {
      for (; !isDone; await nextTurn()) await reader.read();
    })();
    // On SQLite everything waits behind those held, on PostgreSQL it passes them.
    if (engine === 'postgres') await Promise.allSettled(writing);
    held.open();
    await Promise.allSettled([...holding, ...writing]);
    isDone = true;
    await reading;
    await reader.read();
    const committed = Array.from({ length: 200 }, (_, at) => `${at}`).filter((_, at) => at % 5 !== 0);
    expect(reader.rises).toBe(true);
    expect([...reader.seen].sort()).toEqual(['held 1', 'held 2', 'held 3', ...committed].sort());
  });
});

const describeOnPostgres = hasPostgres ? describe : describe.skip;

describeOnPostgres('numbers of events on PostgreSQL', () => {
  const platform = usePlatform('postgres');

  /** Makes the commit of some rows take a while, as it does when the disk is slow. */
  beforeAll(async () => {
    await platform().transactions.run(async (tx) => {
      await tx.query(`CREATE FUNCTION take_a_while() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END $$`);
      await tx.query(`CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON event_log DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.type = 'slow') EXECUTE FUNCTION take_a_while()`);
    });
  });

  it('are not passed by the commit of a later one', async () => {
    const { transactions, eventLog } = platform();
    const reader = new Reader(eventLog);
    const slow = transactions.run(async (tx) => tx.emit({ type: 'slow', text: 'slow' }, audience));
    const isNumbered = async () => {
      const [row] = await platform().database.read.query<{ waiting: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event = 'PgSleep') AS waiting`,
      );
      return row?.waiting;
    };
    while (!(await isNumbered()));
    let isDone = false;
    const fast = transactions.run(async (tx) => tx.emit({ type: 'fast', text: 'fast' }, audience));
    const both = Promise.all([slow, fast]).then(() => (isDone = true));
    for (; !isDone; await nextTurn()) await reader.read();
    await both;
    await reader.read();
    expect(reader.seen).toEqual(['slow', 'fast']);
  });

  it('appear even if the node died before it could say so', async () => {
    const { transactions, eventLog } = platform();
    const before = await eventLog.lastNumber();
    // What a transaction leaves behind whose process ends right after the commit.
    await transactions.run((tx) =>
      tx.query(`INSERT INTO event_log (created_at, type, payload) VALUES (0, 'left', '{"text":"left"}')`),
    );
    await expect(eventLog.readAfter(before, 10)).resolves.toEqual([]);
    const nextNode = await platform().anotherNode();
    await nextNode.transactions.run(async (tx) => tx.emit({ type: 'next', text: 'next' }, audience));
    await nextNode.stop();
    await expect(eventLog.readAfter(before, 10)).resolves.toMatchObject([{ type: 'left' }, { type: 'next' }]);
  });
});
