import { isRecentlyActive, weeklyTraffic } from './channel-records.api';

const DAY = 86_400;
const NOW = 1_700_000_000;

describe('isRecentlyActive', () => {
  it.each([
    ['new without messages', NOW - DAY, null, true],
    ['old without messages', NOW - 181 * DAY, null, false],
    ['old with a late message', NOW - 900 * DAY, NOW - 179 * DAY, true],
    ['old with an early message', NOW - 900 * DAY, NOW - 180 * DAY, false],
  ])('%s', (_, dateCreated, lastMessageAt, expected) => {
    expect(isRecentlyActive({ dateCreated, lastMessageAt }, NOW)).toBe(expected);
  });
});

describe('weeklyTraffic', () => {
  it.each([
    ['in the first week', 500, 6, null],
    ['without messages', 0, 100, 0],
    ['over four weeks', 100, 100, 25],
    ['scaled by age', 30, 10, 21],
    ['at least one', 1, 100, 1],
    ['to two significant digits', 5000, 28, 1300],
  ])('%s', (_, messages, ageInDays, expected) => {
    expect(weeklyTraffic(messages, NOW - ageInDays * DAY, NOW)).toBe(expected);
  });
});
