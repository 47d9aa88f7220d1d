import fc from 'fast-check';
import { BLOCK_SIZE, ReadSet } from './read-set';

describe('ReadSet', () => {
  it('takes everything up to the watermark as read', () => {
    const reads = new ReadSet(10);
    expect([1, 10, 11, 5000].map((id) => reads.isRead(id))).toEqual([true, true, false, false]);
  });

  it('lets a written block overrule the watermark', () => {
    const reads = new ReadSet(2000);
    expect(reads.mark([1500, 1500], false)).toEqual([1500]);
    const stored = new ReadSet(2000, reads.changedBlocks());
    expect([1499, 1500, 1501, 2000, 2001].map((id) => stored.isRead(id))).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  it('reports and stores only what changed', () => {
    const reads = new ReadSet(0, [[0, '']]);
    expect(reads.changedBlocks()).toEqual([]);
    expect(reads.mark([3, 2, 3], true)).toEqual([3, 2]);
    expect(reads.mark([2], true)).toEqual([]);
    expect(reads.changedBlocks()).toEqual([[0, Buffer.from([0b1100]).toString('base64')]]);
  });

  it('stores a block that is read throughout as one character', () => {
    const reads = new ReadSet(BLOCK_SIZE - 2);
    reads.mark([BLOCK_SIZE - 1], true);
    expect(reads.changedBlocks()).toEqual([[0, '*']]);
    expect(new ReadSet(0, [[0, '*']]).isRead(BLOCK_SIZE - 1)).toBe(true);
  });

  it('jumps over what is certainly read', () => {
    expect(new ReadSet(5000).nextCandidate(1)).toBe(5001);
    const reads = new ReadSet(100, [
      [0, '*'],
      [1, '*'],
      [3, ''],
    ]);
    expect(reads.nextCandidate(1)).toBe(2 * BLOCK_SIZE);
    expect(reads.nextCandidate(3 * BLOCK_SIZE + 7)).toBe(3 * BLOCK_SIZE + 7);
    expect(new ReadSet(4000, [[1, '']]).nextCandidate(1)).toBe(BLOCK_SIZE);
  });

  it('behaves like a plain set through any marks and reloads', () => {
    const step = fc.record({
      ids: fc.array(fc.integer({ min: 1, max: 3 * BLOCK_SIZE }), { maxLength: 30 }),
      read: fc.boolean(),
      reload: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 * BLOCK_SIZE }),
        fc.array(step, { maxLength: 20 }),
        (watermark, steps) => {
          let reads = new ReadSet(watermark);
          const stored = new Map<number, string>();
          const model = new Set(Array.from({ length: watermark }, (_, index) => index + 1));
          for (const { ids, read, reload } of steps) {
            const expected = [...new Set(ids)].filter((id) => model.has(id) !== read);
            expect(reads.mark(ids, read)).toEqual(expected);
            for (const id of ids) {
              if (read) model.add(id);
              else model.delete(id);
            }
            for (const [block, bits] of reads.changedBlocks()) stored.set(block, bits);
            if (reload) reads = new ReadSet(watermark, stored);
          }
          for (let id = 1; id <= 3 * BLOCK_SIZE; id += 7) expect(reads.isRead(id)).toBe(model.has(id));
          const candidate = reads.nextCandidate(1);
          for (let id = 1; id < candidate; id++) expect(model.has(id)).toBe(true);
        },
      ),
      { seed: 20_240_131, numRuns: 60 },
    );
  });
});
