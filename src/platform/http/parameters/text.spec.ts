import { codePointLength } from './text';

it.each([
  ['', 0],
  ['abc', 3],
  ['👍', 1],
  ['a👍👍b', 4],
  ['👩‍👩‍👧', 5],
  ['e\u0301', 2],
  ['\ud83d', 1],
  ['\udc4d\ud83d', 2],
])('%j has %i code points', (value, length) => {
  expect(codePointLength(value)).toBe(length);
  expect([...value]).toHaveLength(length);
});
