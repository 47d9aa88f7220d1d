import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SortedSpool } from './sorted-spool';
import { ThreadTopics } from './thread-topics';

describe('sorting more than memory holds', () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'parley-sorting-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['in memory', 0],
    ['with files', 100_000],
  ])('keeps everything, and equal keys as they came, %s', async (_, filling) => {
    const spool = new SortedSpool<{ key: number; at: number; text: string }>(folder);
    const added = Array.from({ length: 1000 }, (__, at) => ({
      ...{ key: (at * 7919) % 101, at },
      text: `"\n\u2028${'x'.repeat(filling)}`,
    }));
    for (const each of added) spool.add(each.key + 0.5, each);
    expect(spool.size).toBe(1000);
    expect(readdirSync(folder).length > 1).toBe(filling > 0);
    const order: [number, number][] = [];
    for await (const { key, at, text } of spool.read()) {
      order.push([key, at]);
      expect(text).toBe(added[at]?.text);
    }
    expect(order).toEqual(
      [...added].sort((a, b) => a.key - b.key || a.at - b.at).map(({ key, at }) => [key, at]),
    );
  });

  it('reads nothing of nothing', async () => {
    await expect(new SortedSpool(folder).read().next()).resolves.toEqual({ done: true, value: undefined });
  });
});

describe('topics of threads', () => {
  const day = Date.UTC(2024, 1, 29, 23, 59) / 1000;

  it('are named by day and beginning, and fit', () => {
    const topics = new ThreadTopics();
    expect(topics.of(1, 'a', day, () => '  *What*  about\n`this` #5?')).toBe('2024-02-29 What about this 5?');
    expect(topics.of(1, 'a', day, () => 'asked once')).toBe('2024-02-29 What about this 5?');
    expect(topics.of(1, 'b', day, () => '')).toBe('2024-02-29 thread');
    const long = topics.of(1, 'c', day, () => 'word '.repeat(50));
    expect([long.length, long.at(-1)]).toEqual([60, '…']);
  });

  it('differ within a channel, whatever threads begin with', () => {
    const topics = new ThreadTopics();
    const beginnings = ['x', 'X', 'x', 'x (2)', 'y'.repeat(99), 'y'.repeat(99), 'x (3)', 'x'];
    const names = beginnings.map((text, at) => topics.of(1, String(at), day, () => text));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(beginnings.length);
    expect(Math.max(...names.map((name) => Array.from(name).length))).toBeLessThanOrEqual(60);
    expect(topics.of(2, '0', day, () => 'x')).toBe('2024-02-29 x');
  });
});
