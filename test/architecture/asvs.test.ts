import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

interface Row {
  readonly item: string;
  readonly level: string;
  readonly met: string;
  readonly how: string;
}

const rows: Row[] = readFileSync(join(root, 'docs/asvs.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, item = '', level = '', , outcome = '']) => {
    const [met = '', how = ''] = outcome.split(/: (.*)/);
    return { item, level, met, how };
  });

/** The tests for each item: item, file, and part of a title in it. */
const tests = readFileSync(join(root, 'test/spec/asvs.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

/** Levels of the items in each section of release 5.0.0 of the standard, in order. */
const LEVELS: Readonly<Record<string, string>> = {
  ...{ '1.1': '22', '1.2': '1111122223', '1.3': '112222222223', '1.4': '222', '1.5': '123' },
  ...{ '2.1': '122', '2.2': '112', '2.3': '12223', '2.4': '23' },
  ...{
    '3.1': '3',
    '3.2': '113',
    '3.3': '12223',
    '3.4': '11222233',
    '3.5': '11122333',
    '3.6': '3',
    '3.7': '22333',
  },
  ...{ '4.1': '12233', '4.2': '23333', '4.3': '22', '4.4': '1222' },
  ...{ '5.1': '2', '5.2': '112333', '5.3': '113', '5.4': '222' },
  ...{
    '6.1': '122',
    '6.2': '111111112222',
    '6.3': '11223333',
    '6.4': '112233',
    '6.5': '22222333',
    '6.7': '33',
    '6.8': '2222',
  },
  ...{ '7.1': '222', '7.2': '1111', '7.3': '22', '7.4': '11222', '7.5': '223', '7.6': '22' },
  ...{ '8.1': '1233', '8.2': '1123', '8.3': '133', '8.4': '23' },
  ...{ '9.1': '111', '9.2': '1222' },
  ...{ '10.1': '22', '10.2': '223', '10.5': '22222' },
  ...{
    '11.1': '2233',
    '11.2': '22233',
    '11.3': '11233',
    '11.4': '1222',
    '11.5': '23',
    '11.6': '23',
    '11.7': '33',
  },
  ...{ '12.1': '12233', '12.2': '11', '12.3': '22223' },
  ...{ '13.1': '2333', '13.2': '222223', '13.3': '2233', '13.4': '1222233' },
  ...{ '14.1': '22', '14.2': '12223333', '14.3': '122' },
  ...{ '15.1': '12233', '15.2': '12233', '15.3': '1222222', '15.4': '3333' },
  ...{ '16.1': '2', '16.2': '22222', '16.3': '2222', '16.4': '222', '16.5': '2223' },
};

describe('docs/asvs.md', () => {
  it('lists each item once, in order, with what is met of it', () => {
    const items = rows.map(({ item }) => item);
    const inOrder = [...new Set(items)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    expect(items).toEqual(inOrder);
    expect(rows.length).toBeGreaterThan(220);
    expect(rows.filter(({ item, level }) => !/^\d+(\.\d+){2}$/.test(item) || !/^[123]$/.test(level))).toEqual(
      [],
    );
    expect(rows.filter(({ met }) => !['yes', 'partly', 'no'].includes(met))).toEqual([]);
    expect(rows.filter(({ met, how }) => met !== 'no' && how === '')).toEqual([]);
  });

  it('has the level of each item as the standard has it', () => {
    const wrong = rows.filter(({ item, level }) => {
      const [, section = '', number] = /^(\d+\.\d+)\.(\d+)$/.exec(item) ?? [];
      return LEVELS[section]?.[Number(number) - 1] !== level;
    });
    expect(wrong).toEqual([]);
  });
});

describe('test/spec/asvs.tsv', () => {
  it('names items of the document once, and tests that are there', () => {
    const listed = new Set(rows.map(({ item }) => item));
    const items = tests.map(([item = '']) => item);
    expect(tests.length).toBeGreaterThan(120);
    expect(items.filter((item, index) => !listed.has(item) || items.indexOf(item) !== index)).toEqual([]);
    const missing = tests.filter(
      ([, file = '', title = '']) =>
        title === '' ||
        !existsSync(join(root, file)) ||
        !readFileSync(join(root, file), 'utf8').includes(title),
    );
    expect(missing).toEqual([]);
  });
});

describe('test/spec/ways-in.tsv', () => {
  it('names tests that are there, and why they are left out', () => {
    // Some titles are lines of the permission matrix.
    const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
    const rows = textOf('test/spec/ways-in.tsv').trimEnd().split('\n').slice(1);
    const wrong = rows.filter((line) => {
      const [way = '', file = '', title = '', reason = ''] = line.split('\t');
      const isKnown = ['factor', 'provider', 'both'].includes(way) && existsSync(join(root, file));
      const isThere = [file, 'test/spec/permission-matrix.tsv'].some((path) => textOf(path).includes(title));
      return !isKnown || reason === '' || !isThere;
    });
    expect(wrong).toEqual([]);
  });
});
