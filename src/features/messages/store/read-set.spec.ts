import fc from 'fast-check';
import { BLOCK_SIZE, blocksWithUnread, ReadSet } from './read-set';

describe('ReadSet', () => {
  it('treats everything up to the watermark as read', () => {
    const reads = new ReadSet(10);
    expect([1, 10, 11, 5000].map((id) => reads.isRead(id))).toEqual([true, true, false, false]);
  });

  it('lets a written block overrule the watermark', () => {
    const reads = new ReadSet(2000);
    expect(reads.mark([1500, 1500], 'unread')).toEqual([1500]);
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
    expect(reads.mark([3, 2, 3], 'read')).toEqual([3, 2]);
    expect(reads.mark([2], 'read')).toEqual([]);
    expect(reads.changedBlocks()).toEqual([[0, Buffer.from([0b1100]).toString('base64')]]);
  });

  it('stores a fully read block as one character', () => {
    const reads = new ReadSet(BLOCK_SIZE - 2);
    reads.mark([BLOCK_SIZE - 1], 'read');
    expect(reads.changedBlocks()).toEqual([[0, '*']]);
    expect(new ReadSet(0, [[0, '*']]).isRead(BLOCK_SIZE - 1)).toBe(true);
  });

  it('lists what is unread up to the watermark, and counts the blocks that marking created', () => {
    const reads = new ReadSet(3000, [[0, '*']]);
    expect(reads.unreadUpToWatermark()).toEqual([]);
    reads.mark([2500, 7, 1024, 2999, 3000], 'unread');
    reads.mark([3001, 5000], 'read');
    expect(reads.unreadUpToWatermark()).toEqual([7, 1024, 2500, 2999, 3000]);
    expect(reads.newBlocks).toBe(3);
    const again = new ReadSet(3000, reads.changedBlocks());
    again.mark([8, 2500], 'unread');
    expect(again.newBlocks).toBe(0);
    expect(again.storedFrom(1)).toEqual([1, 2, 4]);
  });

  it('can be created from blocks in which only some messages are unread', () => {
    const unread = [5, 1023, 4096];
    const blocks = blocksWithUnread(unread);
    expect(blocks.map(([block]) => block)).toEqual([0, 4]);
    const reads = new ReadSet(5 * BLOCK_SIZE - 1, blocks);
    expect(reads.unreadUpToWatermark()).toEqual(unread);
    for (const id of [4, 6, 1022, 1024, 4095, 4097]) expect(reads.isRead(id)).toBe(true);
  });

  it('reports ranges that may contain read or unread messages', () => {
    const all = { low: 1, high: 5 * BLOCK_SIZE - 1 };
    expect(new ReadSet(2000).rangesWith('unread', all)).toEqual([{ low: 2001, high: all.high }]);
    expect(new ReadSet(2000).rangesWith('read', all)).toEqual([{ low: 1, high: 2000 }]);
    expect(new ReadSet(0).rangesWith('read', all)).toEqual([]);
    const reads = new ReadSet(100, [
      [0, '*'],
      [1, '*'],
      [3, ''],
    ]);
    expect(reads.rangesWith('unread', all)).toEqual([{ low: 2 * BLOCK_SIZE, high: all.high }]);
    expect(reads.rangesWith('read', all)).toEqual([{ low: 1, high: 2 * BLOCK_SIZE - 1 }]);
    expect(reads.rangesWith('read', { low: 50, high: 60 })).toEqual([{ low: 50, high: 60 }]);
    reads.mark([3 * BLOCK_SIZE + 5, 3 * BLOCK_SIZE + 9], 'read');
    expect(reads.rangesWith('read', { low: 2 * BLOCK_SIZE, high: all.high })).toEqual([
      { low: 3 * BLOCK_SIZE + 5, high: 3 * BLOCK_SIZE + 9 },
    ]);
    expect(reads.rangesWith('read', { low: 9, high: 8 })).toEqual([]);
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
            expect(reads.mark(ids, read ? 'read' : 'unread')).toEqual(expected);
            for (const id of ids) {
              if (read) model.add(id);
              else model.delete(id);
            }
            for (const [block, bits] of reads.changedBlocks()) stored.set(block, bits);
            if (reload) reads = new ReadSet(watermark, stored);
          }
          const ids = Array.from({ length: 4 * BLOCK_SIZE }, (_, index) => index + 1);
          const inRange = (id: number) => id >= 5 && id <= 3 * BLOCK_SIZE;
          expect(ids.filter((id) => id <= 3 * BLOCK_SIZE && reads.isRead(id) !== model.has(id))).toEqual([]);
          for (const read of [true, false]) {
            const ranges = reads.rangesWith(read ? 'read' : 'unread', { low: 5, high: 3 * BLOCK_SIZE });
            const within = (id: number) => ranges.some(({ low, high }) => id >= low && id <= high);
            expect(ids.filter((id) => within(id) && !inRange(id))).toEqual([]);
            expect(ids.filter((id) => inRange(id) && model.has(id) === read && !within(id))).toEqual([]);
          }
        },
      ),
      { seed: 20_240_131, numRuns: 60 },
    );
  });
});
