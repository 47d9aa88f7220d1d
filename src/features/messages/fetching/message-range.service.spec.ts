import { NEWEST, parseRange } from './message-range.service';

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

  it.each([
    ['2026-01-02', Date.UTC(2026, 0, 2)],
    ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02T03:04:05.678Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02T03:04:05+02:00', Date.UTC(2026, 0, 2, 1, 4, 5)],
    ['0001-01-01', new Date(0).setUTCFullYear(1, 0, 1)],
  ])('reads the date %s', (anchorDate, expected) => {
    expect(parseRange({ anchor: 'date', anchorDate }).anchor).toEqual({ sentFrom: expected / 1000 });
  });

  it('lets the legacy switch win', () => {
    expect(parseRange({ anchor: '0', useFirstUnreadAnchor: true }).anchor).toBe('first_unread');
    expect(parseRange({ useFirstUnreadAnchor: true }).anchor).toBe('first_unread');
  });

  it.each([
    [{}, "Missing 'anchor' argument."],
    [{ anchor: 'soon' }, 'Invalid anchor'],
    [{ anchor: '1.5' }, 'Invalid anchor'],
    [{ anchor: 'date' }, "Missing 'anchor_date' argument."],
    [{ anchor: 'date', anchorDate: 'yesterday' }, 'Invalid anchor_date'],
    [{ anchor: 'date', anchorDate: '2026-02-30' }, 'Invalid anchor_date'],
    [{ anchor: 'date', anchorDate: '1767225600' }, 'Invalid anchor_date'],
    [{ anchor: '1', numBefore: 2501, numAfter: 2500 }, 'Too many messages requested (maximum 5000).'],
    [
      { anchor: '1', numBefore: 1, numAfter: 1, includeAnchor: false },
      'The anchor can only be excluded at an end of the range',
    ],
  ])('refuses %j', (request, message) => {
    expect(() => parseRange(request)).toThrow(message);
  });
});
