import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { ApiError } from '../../src/platform/errors/api-error';
import { ServerBusy } from '../../src/platform/errors/request.errors';
import {
  isUniqueViolation,
  TransactionMisused,
  TransactionTimedOut,
} from '../../src/platform/database/database.errors';
import type { Transaction } from '../../src/platform/database/transaction.service';
import { Audience } from '../../src/platform/events/audience';
import { gate, notes, usePlatform } from '../support/contract-suite';
import { Note } from '../support/note.entity';
import { createTestDatabase, engines, hasPostgres } from '../support/test-database';
import { TestPlatform } from '../support/test-platform';

const ADD = 'INSERT INTO note (text) VALUES (?) RETURNING id';
const event = { type: 'note' };

if (!hasPostgres) test.todo('transactions on postgres: TEST_DATABASE_URL names no server');

describe.each(engines)('transactions on %s', (engine) => {
  const platform = usePlatform(engine, {
    entities: [Note],
    limits: { maxTransactionMs: 2_000, maxWaiting: 60 },
  });
  const isSqlite = engine !== 'postgres';

  const add = (text: string) => platform().transactions.run((tx) => tx.query<{ id: number }>(ADD, [text]));
  const texts = () => notes(platform());

  beforeEach(async () => {
    await platform().transactions.run((tx) => tx.query('DELETE FROM note'));
  });

  it('stores what the work wrote and hands on its result', async () => {
    const [row] = await add('kept');
    expect(row?.id).toBeGreaterThan(0);
    await expect(texts()).resolves.toEqual(['kept']);
  });

  it('leaves nothing behind when the work fails, not even its events', async () => {
    const before = await platform().eventLog.lastNumber();
    const failing = platform().transactions.run(async (tx) => {
      await tx.query(ADD, ['lost']);
      tx.emit(event, Audience.of([1]));
      throw new ApiError('No.');
    });
    await expect(failing).rejects.toThrow(new ApiError('No.'));
    await expect(texts()).resolves.toEqual([]);
    await expect(platform().eventLog.readAfter(before, 10)).resolves.toEqual([]);
  });

  it('keeps overlapping transactions apart', async () => {
    const first = gate();
    const holding = platform().transactions.run(async (tx) => {
      await tx.query(ADD, ['first']);
      await first.opened;
      throw new Error('first fails');
    });
    const others = Promise.all(['second', 'third'].map(add));
    await expect(texts()).resolves.toEqual([]);
    first.open();
    await expect(holding).rejects.toThrow('first fails');
    await others;
    expect((await texts()).sort()).toEqual(['second', 'third']);
  });

  it('lets a failing neighbour harm nobody', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) =>
        platform().transactions.run(async (tx) => {
          await tx.query(ADD, [`note ${at}`]);
          if (at % 4 === 0) throw new Error('fails after writing');
          if (at % 4 === 1) await tx.query('SELECT * FROM no_such_table');
        }),
      ),
    );
    const stored = outcomes.flatMap((outcome, at) => (outcome.status === 'fulfilled' ? [`note ${at}`] : []));
    expect(stored).toHaveLength(20);
    expect((await texts()).sort()).toEqual(stored.sort());
  });

  it('fails what it could not commit', async () => {
    const outcomes = await Promise.allSettled([
      add('beside it'),
      platform().transactions.run((tx) => tx.query('INSERT INTO remark (note_id) VALUES (-1)')),
    ]);
    expect(outcomes[1]).toMatchObject({ status: 'rejected' });
    // On SQLite both shared the commit that failed; on PostgreSQL each had its own.
    expect(outcomes[0]?.status).toBe(isSqlite ? 'rejected' : 'fulfilled');
    await expect(texts()).resolves.toEqual(isSqlite ? [] : ['beside it']);
    await add('afterwards');
    await expect(texts()).resolves.toContain('afterwards');
  });

  it('runs entity repositories inside the transaction', async () => {
    const save = (text: string) => (tx: Transaction) => tx.repository(Note).save({ text });
    const [kept] = await Promise.allSettled([
      platform().transactions.run(save('kept')),
      platform().transactions.run(async (tx) => {
        await tx.repository(Note).save([{ text: 'lost 1' }, { text: 'lost 2' }]);
        throw new Error('after saving');
      }),
      platform().transactions.run(async (tx) => {
        const note = await tx.repository(Note).save({ text: 'draft' });
        await tx.repository(Note).update(note.id, { text: 'final' });
        await expect(tx.repository(Note).findOneBy({ id: note.id })).resolves.toMatchObject({
          text: 'final',
        });
      }),
    ]);
    expect(kept).toMatchObject({ status: 'fulfilled', value: { id: expect.any(Number) } });
    expect((await texts()).sort()).toEqual(['final', 'kept']);
    await expect(platform().database.read.repository(Note).count()).resolves.toBe(2);
  });

  it('shows an exclusive job what earlier ones did, one after the other', async () => {
    const counts = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        platform().transactions.runExclusive(async (tx) => {
          const [row] = await tx.query<{ count: number }>('SELECT COUNT(*) AS count FROM note');
          await tx.query(ADD, [`note ${at}`]);
          return row?.count;
        }),
      ),
    );
    expect(counts.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 20 }, (_, at) => at));
  });

  it('tells a duplicate from other failures', async () => {
    await add('once');
    const error: unknown = await add('once').catch((caught: unknown) => caught);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(new Error('once'))).toBe(false);
  });

  it('stores nothing after a failed statement, even one that was caught', async () => {
    await add('once');
    const swallowing = platform().transactions.run(async (tx) => {
      await tx.query(ADD, ['before']);
      await tx.query(ADD, ['once']).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow(/unique/i);
    await expect(texts()).resolves.toEqual(['once']);
  });

  it('fails with what failed first, whatever the work heard of first', async () => {
    await add('once');
    const failing = platform().transactions.run(async (tx) => {
      const first = tx.query(ADD, ['once']);
      first.catch(() => undefined);
      // PostgreSQL refuses it for the sake of the first, and SQLite does not.
      await tx.query(ADD, ['twice']);
      await first;
    });
    await expect(failing).rejects.toThrow(/unique/i);
    await expect(texts()).resolves.toEqual(['once']);
  });

  it('reports a statement that was not awaited, and stores nothing of it', async () => {
    const forgetful = platform().transactions.run(async (tx) => {
      await tx.query(ADD, ['awaited']);
      void tx.query(ADD, ['forgotten']);
    });
    await expect(forgetful).rejects.toThrow(TransactionMisused);
    await expect(texts()).resolves.toEqual([]);
  });

  it('refuses a transaction that is over', async () => {
    let kept: Transaction | undefined;
    await platform().transactions.run(async (tx) => {
      kept = tx;
      await tx.query(ADD, ['inside']);
    });
    await expect(kept?.query(ADD, ['late'])).rejects.toThrow(TransactionMisused);
    await expect(kept?.repository(Note).save({ text: 'late' })).rejects.toThrow(TransactionMisused);
    expect(() => kept?.emit(event, Audience.none)).toThrow(TransactionMisused);
    await expect(texts()).resolves.toEqual(['inside']);
  });

  it('rolls back work that never ends, and goes on', async () => {
    const endless = platform().transactions.run(async (tx) => {
      await tx.query(ADD, ['endless']);
      await new Promise(() => undefined);
    });
    const next = add('next');
    await expect(endless).rejects.toThrow(TransactionTimedOut);
    await next;
    await expect(texts()).resolves.toEqual(['next']);
  });

  it('lets work have a limit of its own', async () => {
    const endless = (isExclusive: boolean) => {
      const work = async (tx: Transaction) => {
        await tx.query(ADD, ['endless']);
        await new Promise(() => undefined);
      };
      const { transactions } = platform();
      const options = { limitMs: 50 };
      return isExclusive ? transactions.runExclusive(work, options) : transactions.run(work, options);
    };
    for (const isExclusive of [false, true]) {
      await expect(endless(isExclusive)).rejects.toThrow(/still open after 50 ms/);
    }
    await expect(texts()).resolves.toEqual([]);
  });

  it('refuses writes when too many wait', async () => {
    const blocked = gate();
    const holding = platform().transactions.runExclusive(() => blocked.opened);
    const outcomes = Promise.allSettled(
      Array.from({ length: 80 }, (_, at) =>
        platform().transactions.runExclusive((tx) => tx.query(ADD, [`note ${at}`])),
      ),
    );
    expect(platform().transactions.load.waiting).toBeGreaterThanOrEqual(60);
    blocked.open();
    await holding;
    const refused = (await outcomes).filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(20);
    expect(refused[0]?.reason).toBeInstanceOf(ServerBusy);
    expect(refused[0]?.reason).toMatchObject({ status: 503, code: 'SERVER_BUSY' });
    await expect(texts()).resolves.toHaveLength(80 - refused.length);
    expect(platform().transactions.load).toEqual({ waiting: 0, longestWaitMs: 0 });
  });

  it('cannot write past the transactions', async () => {
    await expect(platform().database.read.query(ADD, ['stray'])).rejects.toThrow(/read-?only/i);
    await expect(platform().database.read.repository(Note).save({ text: 'stray' })).rejects.toThrow(
      /read-?only/i,
    );
    await expect(texts()).resolves.toEqual([]);
  });

  it('takes values of every kind and lists of every length', async () => {
    const picture = Buffer.from([0, 1, 255]);
    await platform().transactions.run(async (tx) => {
      await tx.query('INSERT INTO note (text, picture) VALUES (?, ?)', ['é ✓ \u{1f600}', picture]);
      await tx.query('UPDATE note SET picture = ? WHERE picture = ?', [null, picture]);
      await tx.query('UPDATE note SET picture = ?', [picture]);
    });
    const { read } = platform().database;
    const find = (list: string[], not = '') =>
      read.query<{ picture: Buffer }>(`SELECT picture FROM note WHERE text ${not} IN (?)`, [list]);
    const [row] = await find(['é ✓ \u{1f600}', 'other']);
    expect(Buffer.isBuffer(row?.picture) && row.picture.equals(picture)).toBe(true);
    await expect(find([])).resolves.toEqual([]);
    await expect(find([], 'NOT')).resolves.toHaveLength(1);
    const [count] = await read.query<{ count: number }>('SELECT COUNT(*) AS count FROM note WHERE ?', [true]);
    expect(count).toEqual({ count: 1 });
  });

  it('runs statements in the order in which they are handed in, also where they are handed in together', async () => {
    const seen = await platform().transactions.run(async (tx) => {
      const [, counted] = await Promise.all([
        tx.query(ADD, ['first']),
        tx.query<{ count: number }>('SELECT COUNT(*) AS count FROM note'),
        tx.query(ADD, ['second']),
      ]);
      return counted;
    });
    expect(seen).toEqual([{ count: 1 }]);
    await expect(texts()).resolves.toEqual(['first', 'second']);
  });

  it('runs what is left to its end after all else, and undoes everything where that fails', async () => {
    const { transactions } = platform();
    await transactions.run(async (tx) => {
      tx.atEnd('UPDATE note SET text = text || ?', [' changed']);
      await tx.query(ADD, ['noted']);
    });
    await expect(texts()).resolves.toEqual(['noted changed']);
    const done: string[] = [];
    const failing = transactions.run(async (tx) => {
      await tx.query(ADD, ['lost']);
      tx.emit(event, Audience.of([1]));
      tx.afterCommit(() => void done.push('lost'));
      tx.atEnd(ADD, ['noted changed']);
    });
    await expect(failing).rejects.toThrow(/unique/i);
    await expect(texts()).resolves.toEqual(['noted changed']);
    expect(done).toEqual([]);
  });

  describe('what is to happen after the commit', () => {
    const act = (done: string[], ...names: string[]) => {
      return async (tx: Transaction) => {
        await tx.query(ADD, [names.join()]);
        for (const name of names) tx.afterCommit(() => void done.push(name));
      };
    };

    it('happens in order once the work is committed, and before the caller hears of it', async () => {
      const done: string[] = [];
      const value = await platform().transactions.run(async (tx) => {
        tx.afterCommit(async () => {
          await pause(20);
          done.push((await texts()).join());
        });
        tx.afterCommit(() => void done.push('second'));
        await tx.query(ADD, ['stored']);
        done.push('worked');
        return 'value';
      });
      expect(value).toBe('value');
      expect(done).toEqual(['worked', 'stored', 'second']);
    });

    it('never happens when nothing is stored', async () => {
      const done: string[] = [];
      const { transactions } = platform();
      const failing = transactions.run(async (tx) => {
        await act(done, 'lost')(tx);
        throw new Error('after all');
      });
      await expect(failing).rejects.toThrow('after all');
      const uncommitted = transactions.run(async (tx) => {
        await act(done, 'not committed')(tx);
        await tx.query('INSERT INTO remark (note_id) VALUES (-1)');
      });
      await expect(uncommitted).rejects.toThrow();
      await transactions.run(act(done, 'kept'));
      expect(done).toEqual(['kept']);
    });

    it('holds up neither the next writer nor its own writes', async () => {
      for (const way of ['run', 'runExclusive'] as const) {
        const { transactions } = platform();
        const [begun, acting] = [gate(), gate()];
        const first = transactions[way](async (tx) => {
          await tx.query(ADD, [`${way} 1`]);
          tx.afterCommit(async () => {
            begun.open();
            await acting.opened;
            await transactions[way]((other) => other.query(ADD, [`${way} 3`]));
          });
        });
        await begun.opened;
        await transactions[way]((tx) => tx.query(ADD, [`${way} 2`]));
        await expect(texts()).resolves.toEqual([`${way} 1`, `${way} 2`]);
        acting.open();
        await first;
        await expect(texts()).resolves.toEqual([`${way} 1`, `${way} 2`, `${way} 3`]);
        await transactions.run((tx) => tx.query('DELETE FROM note'));
      }
    });

    it('is logged where it fails, and harms neither the caller nor what follows', async () => {
      const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
      const done: string[] = [];
      await platform().transactions.run(async (tx) => {
        tx.afterCommit(() => Promise.reject(new Error('of an action')));
        await act(done, 'the next')(tx);
      });
      expect(logged.mock.calls).toEqual([[new Error('of an action')]]);
      logged.mockRestore();
      expect(done).toEqual(['the next']);
      await expect(texts()).resolves.toEqual(['the next']);
    });

    it('cannot be added once the work is over', async () => {
      let kept: Transaction | undefined;
      await platform().transactions.run(async (tx) => {
        kept = tx;
        tx.afterCommit(() => {
          expect(() => tx.afterCommit(() => undefined)).toThrow(TransactionMisused);
        });
        await tx.query(ADD, ['inside']);
      });
      expect(() => kept?.afterCommit(() => undefined)).toThrow(TransactionMisused);
    });

    it('is waited for when the server stops', async () => {
      const test = await createTestDatabase(engine);
      const stopping = await TestPlatform.start(test);
      const acting = gate();
      let hasActed = false;
      const running = stopping.transactions.run(async (tx) => {
        await tx.query('DELETE FROM audience');
        tx.afterCommit(async () => {
          await acting.opened;
          await stopping.transactions.run((other) => other.query('DELETE FROM audience'));
          hasActed = true;
        });
      });
      // Its action may have begun or not when the server stops.
      await stopping.transactions.run((tx) => tx.query('DELETE FROM audience'));
      const stopped = stopping.stop();
      acting.open();
      await Promise.all([stopped, running]);
      expect(hasActed).toBe(true);
      await test.drop();
    });
  });
});
