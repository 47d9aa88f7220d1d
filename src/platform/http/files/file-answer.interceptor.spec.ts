import { contentDisposition, parseByteRange } from './file-answer.interceptor';

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

it.each([
  ['a b.txt', `filename="a b.txt"; filename*=UTF-8''a%20b.txt`],
  ['läst 👍.png', `filename="l_st _.png"; filename*=UTF-8''l%C3%A4st%20%F0%9F%91%8D.png`],
  [`it's (1)*!.txt`, `filename="it's (1)*!.txt"; filename*=UTF-8''it%27s%20%281%29%2A%21.txt`],
  ['a"; filename="b.exe', `filename="a_; filename=_b.exe"; filename*=UTF-8''a%22%3B%20filename%3D%22b.exe`],
  ['a\\b%41', `filename="a_b_41"; filename*=UTF-8''a%5Cb%2541`],
  ['a\r\nSet-Cookie: b', `filename="a__Set-Cookie: b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b`],
  ['\ud800', `filename="_"; filename*=UTF-8''%EF%BF%BD`],
])('names a file %j', (fileName, parameters) => {
  expect(contentDisposition('inline', fileName)).toBe(`inline; ${parameters}`);
});
