import { parseChannelAddress, parseDirectAddress } from './destination.access';

describe('parseChannelAddress', () => {
  it.each([
    ['general', 'general'],
    ['"general"', 'general'],
    ['["general"]', 'general'],
    ['"2024"', '2024'],
    ['2024', 2024],
    ['[7]', 7],
    ['a, b', 'a, b'],
  ])('reads %s', (to, expected) => {
    expect(parseChannelAddress(to)).toBe(expected);
  });

  it.each([
    ['["a", "b"]', 'Expected exactly one channel'],
    ['[]', 'Expected exactly one channel'],
    ['{"a": 1}', 'Invalid data type for channel'],
    ['[null]', 'Invalid data type for channel'],
    ['true', 'Invalid data type for channel'],
    ['1.5', 'Invalid data type for channel'],
  ])('refuses %s', (to, message) => {
    expect(() => parseChannelAddress(to)).toThrow(message);
  });
});

describe('parseDirectAddress', () => {
  it.each([
    ['[7, 8, 7]', { userIds: [7, 8] }],
    ['[]', { userIds: [] }],
    ['["a@x", " b@x "]', { emails: ['a@x', 'b@x'] }],
    ['a@x, b@x,,a@x', { emails: ['a@x', 'b@x'] }],
    ['"a@x,b@x"', { emails: ['a@x', 'b@x'] }],
    ['', { emails: [] }],
  ])('reads %s', (to, expected) => {
    expect(parseDirectAddress(to)).toEqual(expected);
  });

  it.each([
    ['[7, "a@x"]', 'Recipient lists may contain emails or user IDs, but not both.'],
    ['["a@x", 7]', 'Recipient lists may contain emails or user IDs, but not both.'],
    ['7', 'Invalid data type for recipients'],
    ['[null]', 'Invalid data type for recipients'],
    ['{}', 'Invalid data type for recipients'],
  ])('refuses %s', (to, message) => {
    expect(() => parseDirectAddress(to)).toThrow(message);
  });
});
