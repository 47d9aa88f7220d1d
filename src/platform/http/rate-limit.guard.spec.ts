import { Clock } from '../clock';
import { RollingWindowStorage } from './rate-limit.guard';

const WINDOW_MS = 60_000;

class OffsetClock extends Clock {
  now = 1_000_000;

  override monotonicMs(): number {
    return this.now;
  }
}

let clock: OffsetClock;
let storage: RollingWindowStorage;

beforeEach(() => {
  clock = new OffsetClock();
  storage = new RollingWindowStorage(clock);
});

const hit = (key = 'a', limit = 2) => storage.increment(key, WINDOW_MS, limit);

it('counts until the limit, then blocks until the oldest request has left the window', async () => {
  await expect(hit()).resolves.toEqual({
    totalHits: 1,
    isBlocked: false,
    timeToExpire: 60,
    timeToBlockExpire: 0,
  });
  clock.now += 500;
  await expect(hit()).resolves.toEqual({
    totalHits: 2,
    isBlocked: false,
    timeToExpire: 60,
    timeToBlockExpire: 0,
  });
  clock.now += 500;
  await expect(hit()).resolves.toEqual({
    totalHits: 2,
    isBlocked: true,
    timeToExpire: 59.5,
    timeToBlockExpire: 59,
  });
  clock.now += 59_000;
  await expect(hit()).resolves.toMatchObject({ totalHits: 2, isBlocked: false });
  await expect(hit()).resolves.toMatchObject({ isBlocked: true, timeToBlockExpire: 0.5 });
});

it('never allows more than the limit within any window', async () => {
  const allowed: number[] = [];
  for (let i = 0; i < 5_000; i++) {
    clock.now += (i * 7919) % 1_000;
    if (!(await hit('a', 40)).isBlocked) {
      allowed.push(clock.now);
    }
  }
  const within = allowed.map((end) => allowed.filter((time) => time > end - WINDOW_MS && time <= end).length);
  expect(Math.max(...within)).toBe(40);
});

it('drops callers that have been idle for a window', async () => {
  for (let i = 0; i < 1_000; i++) {
    await hit(`early ${i}`);
  }
  clock.now += 30_000;
  await hit('early 0');
  clock.now += 30_000;
  await hit('late');
  expect(storage.size).toBe(2);
});

it('tracks a bounded number of callers, dropping the longest idle', async () => {
  await hit('quiet', 1);
  for (let i = 0; i < 100_000; i++) {
    await hit(`caller ${i}`, 1);
  }
  expect(storage.size).toBeLessThanOrEqual(100_001);
  expect((await hit('caller 99999', 1)).isBlocked).toBe(true);
  expect((await hit('quiet', 1)).isBlocked).toBe(false);
});
