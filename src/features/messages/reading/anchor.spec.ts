import { NEWEST, parseRange } from './anchor';

describe('parseRange', () => {
  it.each([
    ['newest', NEWEST],
    ['oldest', 0],
    ['first_unread', 'first_unread'],
    ['42', 42],
    ['-3', 0],
    [`${'9'.repeat(30)}`, NEWEST],
  ])('reads the anchor %s', (anchor, expected) => {
    expect(parseRange({ anchor })).toEqual({
      anchor: expected,
      includeAnchor: true,
      numBefore: 0,
      numAfter: 0,
    });
  });

  it('lets the legacy switch win', () => {
    expect(parseRange({ anchor: '0', useFirstUnreadAnchor: true }).anchor).toBe('first_unread');
    expect(parseRange({ useFirstUnreadAnchor: true }).anchor).toBe('first_unread');
  });

  it.each([
    [{}, "Missing 'anchor' argument."],
    [{ anchor: 'soon' }, 'Invalid anchor'],
    [{ anchor: '1.5' }, 'Invalid anchor'],
    [{ anchor: '1', numBefore: 2501, numAfter: 2500 }, 'Too many messages requested (maximum 5000).'],
    [
      { anchor: '1', numBefore: 1, numAfter: 1, includeAnchor: false },
      'The anchor can only be excluded at an end of the range',
    ],
  ])('refuses %j', (request, message) => {
    expect(() => parseRange(request)).toThrow(message);
  });
});
