import fc from 'fast-check';
import { Audience } from './audience';

const ids = fc.array(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 0xffff_ffff })));

describe('Audience', () => {
  it('contains its IDs once, in any order and however often given', () => {
    fc.assert(
      fc.property(ids, (given) => {
        const audience = Audience.of(given);
        const sorted = [...new Set(given)].sort((a, b) => a - b);
        expect([...audience.ids()]).toEqual(sorted);
        expect(audience.size).toBe(sorted.length);
        expect(given.every((id) => audience.has(id))).toBe(true);
        expect([...Audience.decode(audience.encoding()).ids()]).toEqual(sorted);
      }),
    );
  });

  it('has equal encodings and hashes for equal sets', () => {
    expect(Audience.of([3, 1, 2]).hash()).toBe(Audience.of([1, 2, 3, 3]).hash());
    expect(Audience.of([1, 2]).hash()).not.toBe(Audience.of([1, 3]).hash());
    expect([...Audience.of([5, 6, 300]).encoding()]).toEqual([5, 1, 0xa6, 0x02]);
  });

  it('adds and removes people', () => {
    const audience = Audience.of([1, 5]);
    expect([...audience.union(Audience.of([2, 5]), Audience.none).ids()]).toEqual([1, 2, 5]);
    expect([...audience.without([5, 9]).ids()]).toEqual([1]);
    expect(audience.union(Audience.none)).toBe(audience);
    expect(audience.without([9])).toBe(audience);
    expect(audience.has(2)).toBe(false);
    expect(Audience.of([])).toBe(Audience.none);
  });

  it.each([-1, 1.5, NaN, 2 ** 32])('refuses %p', (id) => {
    expect(() => Audience.of([1, id])).toThrow(TypeError);
  });
});
