import { parseByteRange } from './file-answer';

describe('a range of a file of ten bytes', () => {
  it.each([
    ['bytes=0-3', { start: 0, end: 3 }],
    ['bytes=9-9', { start: 9, end: 9 }],
    ['bytes=4-', { start: 4, end: 9 }],
    ['bytes=4-100', { start: 4, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-100', { start: 0, end: 9 }],
    ['Bytes= 0-3 ', { start: 0, end: 3 }],
    [`bytes=0-${'9'.repeat(400)}`, { start: 0, end: 9 }],
  ])('is read from %j', (header, range) => {
    expect(parseByteRange(header, 10)).toEqual(range);
  });

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    'cannot be had for %j',
    (header) => {
      expect(parseByteRange(header, 10)).toBe('unsatisfiable');
    },
  );

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=3-1',
    'bytes=0-1,3-4',
    'items=0-1',
    'bytes=a-b',
  ])('is not asked for by %j', (header) => {
    expect(parseByteRange(header, 10)).toBeNull();
  });
});

it.each(['bytes=0-', 'bytes=-1'])('an empty file has no %s', (header) => {
  expect(parseByteRange(header, 0)).toBe('unsatisfiable');
});
