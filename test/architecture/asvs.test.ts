import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

interface Row {
  readonly item: string;
  readonly level: string;
  readonly met: string;
  readonly how: string;
  readonly test: string;
}

const rows: Row[] = readFileSync(join(root, 'docs/asvs.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, item = '', level = '', , met = '', how = '', test = '']) => ({ item, level, met, how, test }));

describe('docs/asvs.md', () => {
  it('lists each item once, in order, with what is met of it', () => {
    const items = rows.map(({ item }) => item);
    const inOrder = [...new Set(items)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    expect(items).toEqual(inOrder);
    expect(rows.length).toBeGreaterThan(90);
    expect(rows.filter(({ item, level }) => !/^\d+(\.\d+){2}$/.test(item) || !/^[123]$/.test(level))).toEqual(
      [],
    );
    expect(rows.filter(({ met }) => !['yes', 'partly', 'no'].includes(met))).toEqual([]);
    expect(rows.filter(({ met, how }) => met !== 'no' && how === '')).toEqual([]);
  });

  it('names tests that are there', () => {
    const missing = rows.filter(({ test }) => {
      const [, file = '', title = ''] = /^`([\w./-]+)`: (.+)$/.exec(test) ?? [];
      if (test === 'none') return false;
      return !existsSync(join(root, file)) || !readFileSync(join(root, file), 'utf8').includes(title);
    });
    expect(missing).toEqual([]);
  });
});
