import type { Parameters } from '../support/api-client';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';

const DAY_MS = 86_400_000;
const NEWEST = 10 ** 16;

const clock = new OffsetClock();
let app: TestApp;
let start: number;
/** Messages of ten days in a row, in one of two topics each. */
const ids: number[] = [];

beforeAll(async () => {
  app = await TestApp.start({ clock });
  start = Date.now();
  const { mia, max } = app.cast;
  await createChannel(app, mia, 'diary', { principals: [mia.id, max.id] });
  for (let day = 0; day < 10; day++) {
    clock.aheadMs = day * DAY_MS;
    ids.push(await sendTo(app, max, 'diary', day % 2 === 0 ? 'even' : 'odd', `day ${day}`));
  }
});

afterAll(() => app.stop());

const date = (day: number) => new Date(start + day * DAY_MS - DAY_MS / 2).toISOString();

async function fetchAt(anchorDate: string, parameters: Parameters = {}) {
  const answer = await app.as(app.cast.mia).get('/messages', {
    anchor: 'date',
    anchor_date: anchorDate,
    num_before: 1,
    num_after: 1,
    narrow: [['channel', 'diary']],
    ...parameters,
  });
  const { messages, anchor, ...rest } = expectSuccess(answer);
  const days = messages.map((message: { id: number }) => ids.indexOf(message.id));
  return { ...rest, days, anchor: anchor === NEWEST ? 'newest' : ids.indexOf(anchor) };
}

describe('a date as anchor', () => {
  it('is the first message sent at that time or later', async () => {
    for (const day of [1, 4, 8]) {
      await expect(fetchAt(date(day))).resolves.toMatchObject({
        anchor: day,
        days: [day - 1, day, day + 1],
        found_anchor: true,
      });
    }
  });

  it('keeps to the narrow', async () => {
    const odd = {
      narrow: [
        ['channel', 'diary'],
        ['topic', 'odd'],
      ],
    };
    await expect(fetchAt(date(4), odd)).resolves.toMatchObject({ anchor: 5, days: [3, 5, 7] });
    const searched = { narrow: [['search', 'even']] };
    await expect(fetchAt(date(5), searched)).resolves.toMatchObject({ anchor: 6, days: [4, 6, 8] });
  });

  it('is the oldest message, or the newest end, when it is out of range', async () => {
    await expect(fetchAt('1999-12-31')).resolves.toMatchObject({
      anchor: 0,
      days: [0, 1],
      found_oldest: true,
    });
    await expect(fetchAt('2999-12-31T10:00:00+05:30')).resolves.toMatchObject({
      anchor: 'newest',
      days: [9],
      found_newest: true,
    });
    const nothing = {
      narrow: [
        ['channel', 'diary'],
        ['topic', 'none'],
      ],
    };
    await expect(fetchAt(date(1), nothing)).resolves.toMatchObject({ anchor: 'newest', days: [] });
  });

  it('needs a date, and is not one by itself', async () => {
    const fetch = (parameters: Parameters) => app.as(app.cast.mia).get('/messages', parameters);
    expectError(await fetch({ anchor: 'date' }), "Missing 'anchor_date' argument.");
    expectError(await fetch({ anchor: 'date', anchor_date: 'soon' }), 'Invalid anchor_date');
    expectError(await fetch({ anchor_date: date(1) }), "Missing 'anchor' argument.");
    expectSuccess(await fetch({ anchor: 'newest', anchor_date: 'soon' }));
  });
});
