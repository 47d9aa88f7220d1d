import { Audience } from '../../src/platform/events/audience';
import { defineEvent } from '../../src/platform/events/server-event';
import { usePlatform } from '../support/contract-suite';
import { engines, hasPostgres } from '../support/test-database';

const noteAdded = defineEvent<{ text: string }>('note', 'add');
const everybody = Audience.of(Array.from({ length: 10_000 }, (_, at) => at + 1));
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

if (!hasPostgres) test.todo('the event log on postgres: TEST_DATABASE_URL names no server');

describe.each(engines)('the event log on %s', (engine) => {
  const platform = usePlatform(engine);

  const emit = (text: string, audience = Audience.of([1])) =>
    platform().transactions.run(async (tx) => tx.emit(noteAdded({ text }), audience));
  const countOf = async (table: 'event_log' | 'audience') => {
    const [row] = await platform().database.read.query<{ count: number }>(
      `SELECT COUNT(*) AS count FROM ${table}`,
    );
    return row?.count;
  };

  it('gives back what was emitted, in order', async () => {
    const { eventLog, transactions, clock } = platform();
    const before = await eventLog.lastNumber();
    const personal = new Map([[7, { flags: ['mentioned'] }]]);
    await transactions.run(async (tx) => {
      tx.emit(noteAdded({ text: 'one \u0000 \ud800' }), Audience.of([7, 2]), { personal });
      tx.emit(noteAdded({ text: 'two' }), Audience.none, {
        requires: 'bulk',
        queue: { id: 'q', extra: { a: 1 } },
      });
    });
    const [one, two, ...others] = await eventLog.readAfter(before, 10);
    expect(others).toEqual([]);
    expect(one?.event).toEqual({ type: 'note', op: 'add', text: 'one \u0000 \ud800' });
    expect(one?.type).toBe('note');
    expect([...(one?.audience.ids() ?? [])]).toEqual([2, 7]);
    expect(one?.options).toEqual({ personal });
    expect(clock.nowMs() - (one?.createdAt ?? 0)).toBeLessThan(60_000);
    expect(two?.event).toEqual({ type: 'note', op: 'add', text: 'two' });
    expect(two?.audience).toBe(Audience.none);
    expect(two?.options).toEqual({ requires: 'bulk', queue: { id: 'q', extra: { a: 1 } } });
    expect(Number(two?.number)).toBeGreaterThan(Number(one?.number));
    await expect(eventLog.lastNumber()).resolves.toBe(two?.number);
  });

  it('writes any number of events in one transaction, in order', async () => {
    const { eventLog, transactions } = platform();
    const before = await eventLog.lastNumber();
    await transactions.run(async (tx) => {
      for (let at = 0; at < 1_200; at++) tx.emit(noteAdded({ text: `${at}` }), Audience.of([at]));
    });
    const logged = await eventLog.readAfter(before, 5_000);
    expect(logged.map((entry) => entry.event.text)).toEqual(
      Array.from({ length: 1_200 }, (_, at) => `${at}`),
    );
    await expect(eventLog.readAfter(logged[599]?.number ?? 0, 2)).resolves.toMatchObject([
      { number: logged[600]?.number },
      { number: logged[601]?.number },
    ]);
  });

  it('wakes readers after the commit, with a number that they can read up to', async () => {
    const { eventLog, wakeUp, transactions } = platform();
    const heard: number[] = [];
    const end = wakeUp.onLogGrown((number) => heard.push(number));
    await emit('heard');
    await transactions.run((tx) => tx.query('SELECT 1'));
    await expect(
      transactions.run(async (tx) => {
        tx.emit(noteAdded({ text: 'lost' }), Audience.of([1]));
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    end();
    await emit('not heard');
    expect(heard).toHaveLength(1);
    const [next] = await eventLog.readAfter((heard[0] ?? 0) - 1, 1);
    expect(next?.event).toMatchObject({ text: 'heard' });
  });

  it('stores a large audience once', async () => {
    const { eventLog, transactions } = platform();
    const before = await eventLog.lastNumber();
    const stored = Number(await countOf('audience'));
    const failing = transactions.run(async (tx) => {
      tx.emit(noteAdded({ text: 'lost' }), everybody);
      await tx.query('SELECT * FROM no_such_table');
    });
    await expect(failing).rejects.toThrow();
    await Promise.all(['a', 'b', 'c'].map((text) => emit(text, everybody)));
    await emit('d', Audience.decode(everybody.encoding()));
    await emit('e', everybody.without([5]));
    const logged = await eventLog.readAfter(before, 10);
    expect(logged.map((entry) => entry.audience.size)).toEqual([10_000, 10_000, 10_000, 10_000, 9_999]);
    expect(logged[4]?.audience.has(5)).toBe(false);
    await expect(countOf('audience')).resolves.toBe(stored + 2);
  });

  it('keeps what somebody needs, up to a limit, and what is new anyway', async () => {
    const { eventLog, expiry, clock, claims } = platform();
    await expiry.expire();
    const before = await eventLog.lastNumber();
    const kept = async () => (await eventLog.readAfter(before, 10)).map(({ event }) => event['text']);
    const startMs = clock.nowMs();
    let neededMs: number | null = startMs;
    claims.add(async () => neededMs);
    await emit('first');
    clock.aheadMs += 2 * HOUR_MS;
    await emit('second');
    await emit('third');
    await expiry.expire();
    await expect(kept()).resolves.toEqual(['first', 'second', 'third']);
    neededMs = startMs + HOUR_MS;
    await expiry.expire();
    await expect(kept()).resolves.toEqual(['second', 'third']);
    neededMs = null;
    await expiry.expire();
    await expect(kept()).resolves.toEqual(['second', 'third']);
    clock.aheadMs += HOUR_MS;
    await expiry.expire();
    await expect(kept()).resolves.toEqual(['third']);
    neededMs = startMs;
    await emit('fourth');
    clock.aheadMs += DAY_MS;
    await expiry.expire();
    await expect(kept()).resolves.toEqual(['fourth']);
    neededMs = null;
  });

  it('forgets what is too old, the newest row excepted, and then the audiences of it', async () => {
    const { eventLog, expiry, clock, claims } = platform();
    claims.add(async () => clock.nowMs() - DAY_MS);
    await emit('first', everybody);
    await platform().transactions.run(async (tx) => {
      for (let at = 0; at < 1_500; at++) tx.emit(noteAdded({ text: `${at}` }), Audience.of([at]));
    });
    await emit('last', everybody.without([1]));
    const last = await eventLog.lastNumber();
    await expiry.expire();
    await expect(countOf('event_log')).resolves.toBeGreaterThan(1_500);

    clock.aheadMs += DAY_MS + 1_000;
    await expiry.expire();
    await expect(eventLog.readAfter(0, 10)).resolves.toMatchObject([{ number: last }]);
    await expect(eventLog.lastNumber()).resolves.toBe(last);
    await expect(countOf('audience')).resolves.toBe(1);

    await emit('again', everybody);
    const [, again] = await eventLog.readAfter(0, 10);
    expect(again?.audience.size).toBe(10_000);
    expect(Number(again?.number)).toBeGreaterThan(last);

    clock.aheadMs += DAY_MS / 2;
    await emit('newest');
    await expiry.expire();
    await expect(countOf('audience')).resolves.toBe(1);
    clock.aheadMs += DAY_MS;
    await emit('newer');
    await expiry.expire();
    await expect(countOf('audience')).resolves.toBe(0);
  });
});
