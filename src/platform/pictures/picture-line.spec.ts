import { RateLimitHit, ServerBusy } from '../errors/request.errors';
import { PictureLine } from './picture-line';

/** A line whose work is done one by one, by hand. */
function heldLine() {
  const line = new PictureLine();
  const begun: string[] = [];
  const finishes: (() => void)[] = [];
  const join = (person: number, name: string) =>
    line.run(person, () => {
      begun.push(name);
      return new Promise<void>((done) => finishes.push(done));
    });
  const goOn = async () => {
    finishes.shift()?.();
    await new Promise(setImmediate);
  };
  return { line, begun, join, goOn };
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('A line of pictures', () => {
  it('gives each person one turn after the other', async () => {
    const { begun, join, goOn } = heldLine();
    const all = [1, 2, 3, 4].map((at) => join(1, `a${at}`));
    all.push(join(2, 'b1'), join(3, 'c1'), join(2, 'b2'));
    for (let turn = 0; turn < 7; turn++) await goOn();
    await Promise.all(all);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('goes on after what failed', async () => {
    const line = new PictureLine();
    const failed = line.run(1, () => Promise.reject(new Error('no picture')));
    const next = line.run(1, () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('no picture');
    await expect(next).resolves.toBe('done');
    await expect(line.run(2, () => Promise.resolve('free'))).resolves.toBe('free');
  });

  it('takes five of a person at most', async () => {
    const { join, goOn } = heldLine();
    const all = Array.from({ length: 6 }, () => join(1, 'a'));
    await expect(join(1, 'a')).rejects.toThrow(RateLimitHit);
    all.push(join(2, 'b'));
    for (let turn = 0; turn < 7; turn++) await goOn();
    await Promise.all(all);
  });

  it('takes twenty at most, and then the last of the person who has most in it gives way', async () => {
    const { begun, join, goOn } = heldLine();
    const first = join(9, 'first');
    const ofFour = [1, 2, 3, 4].map((person) => [1, 2, 3, 4, 5].map((at) => join(person, `${person}${at}`)));
    const outcomes = ofFour.flat().map(reasonOf);
    const late = [5, 6, 7, 8].map((person) => join(person, `late ${person}`));
    for (let turn = 0; turn < 21; turn++) await goOn();
    await Promise.all([first, ...late]);
    const refused = (await Promise.all(outcomes)).filter((error) => error !== null);
    expect(refused).toHaveLength(4);
    for (const error of refused) expect(error).toBeInstanceOf(RateLimitHit);
    expect(begun).toHaveLength(21);
    expect(begun).not.toContain('15');
  });

  it('refuses where everyone in it has as few', async () => {
    const { join, goOn } = heldLine();
    const all = Array.from({ length: 21 }, (_, person) => join(person, 'one'));
    await expect(join(99, 'one')).rejects.toThrow(ServerBusy);
    for (let turn = 0; turn < 21; turn++) await goOn();
    await Promise.all(all);
  });
});
