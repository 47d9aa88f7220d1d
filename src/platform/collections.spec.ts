import { addTo, chunksOf, groupBy, groupByList, recordOf } from './collections';

describe('groupBy', () => {
  it('keeps the order of keys and of the items of each', () => {
    const groups = groupBy([5, 2, 7, 4], (number) => (number % 2 === 0 ? 'even' : 'odd'));
    expect([...groups]).toEqual([
      ['odd', [5, 7]],
      ['even', [2, 4]],
    ]);
  });
});

describe('addTo', () => {
  it('creates the group with its first item, then adds to it', () => {
    const groups = new Map([['known', [1]]]);
    addTo(groups, 'known', 2);
    addTo(groups, 'new', 3);
    expect(Object.fromEntries(groups)).toEqual({ known: [1, 2], new: [3] });
  });
});

describe('groupByList', () => {
  it('groups those with the same items in the same order, including an empty list', () => {
    const lists = new Map([
      [1, [10, 20]],
      [2, [20, 10]],
      [3, [10, 20]],
      [4, []],
      [5, [1020]],
    ]);
    expect(groupByList(lists, (item) => item)).toEqual([
      { userIds: [1, 3], items: [10, 20] },
      { userIds: [2], items: [20, 10] },
      { userIds: [4], items: [] },
      { userIds: [5], items: [1020] },
    ]);
  });
});

describe('chunksOf', () => {
  it.each([
    { length: 0, sizes: [] },
    { length: 3, sizes: [3] },
    { length: 7, sizes: [3, 3, 1] },
  ])('cuts a list of $length into $sizes', ({ length, sizes }) => {
    const items = Array.from({ length }, (_, at) => at);
    const chunks = [...chunksOf(items, 3)];
    expect(chunks.map((chunk) => chunk.length)).toEqual(sizes);
    expect(chunks.flat()).toEqual(items);
  });
});

describe('recordOf', () => {
  it('has exactly the keys in the given order', () => {
    expect(Object.entries(recordOf(['b', 'a'], (key) => key.toUpperCase()))).toEqual([
      ['b', 'B'],
      ['a', 'A'],
    ]);
  });
});
