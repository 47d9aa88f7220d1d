import { Rounds } from './rounds';

describe('Rounds', () => {
  it('coalesce calls during a run into one further run, and never start early', async () => {
    const ends: ((value: number) => void)[] = [];
    const rounds = new Rounds<number>(() => new Promise((resolve) => ends.push(resolve)));
    const first = rounds.join();
    await Promise.resolve();
    const others = [rounds.join(), rounds.join()];
    await Promise.resolve();
    expect(ends).toHaveLength(1);
    ends[0]?.(1);
    await expect(first).resolves.toBe(1);
    await new Promise(setImmediate);
    expect(ends).toHaveLength(2);
    const late = rounds.join();
    ends[1]?.(2);
    await expect(Promise.all(others)).resolves.toEqual([2, 2]);
    await new Promise(setImmediate);
    ends[2]?.(3);
    await expect(late).resolves.toBe(3);
    await rounds.ended();
  });

  it('continue after a failed run, whose callers receive the error', async () => {
    let fails = true;
    const rounds = new Rounds(async () => {
      if (fails) throw new Error('no');
      return 'yes';
    });
    const failing = [rounds.join(), rounds.join()];
    for (const each of failing) await expect(each).rejects.toThrow('no');
    fails = false;
    await expect(rounds.join()).resolves.toBe('yes');
    await rounds.ended();
  });
});
