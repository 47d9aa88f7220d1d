import { Readable } from 'node:stream';
import fc from 'fast-check';
import { jsonLines, jsonRows, type JsonUnit } from './json-rows';

describe('files with tables of rows', () => {
  async function unitsOf(...chunks: readonly (string | Buffer)[]): Promise<JsonUnit[]> {
    const content = () => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    const units: JsonUnit[] = [];
    const file = { path: 'realm.json', size: 0, content, bytes: () => Promise.reject(new Error()) };
    for await (const unit of jsonRows(file, (table) => table !== 'unwanted')) units.push(unit);
    return units;
  }

  /** The content in parts of this many bytes, which also split characters. */
  function parts(whole: Buffer, bytes: number): Buffer[] {
    return Array.from({ length: Math.ceil(whole.length / bytes) }, (_, at) =>
      whole.subarray(at * bytes, (at + 1) * bytes),
    );
  }

  const isRow = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const row = fc.dictionary(
    fc.string({ unit: 'binary' }),
    fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }),
    { maxKeys: 4 },
  );
  const tables = fc.dictionary(
    fc.oneof(fc.constantFrom('a', 'unwanted'), fc.string()),
    fc.oneof({ arbitrary: fc.array(row), weight: 4 }, { arbitrary: fc.jsonValue(), weight: 1 }),
  );

  it('are read as they are, however they are chunked', async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.nat(3), fc.integer({ min: 1, max: 300 }), async (given, blanks, bytes) => {
        // A value that is a list counts as a table.
        fc.pre(Object.values(given).every((each) => !Array.isArray(each) || each.every(isRow)));
        const text = JSON.stringify(given, null, blanks);
        const units = Object.entries(JSON.parse(text) as Record<string, unknown>).flatMap(
          ([table, value]) => {
            if (table === 'unwanted') return [];
            return Array.isArray(value)
              ? value.map((each: unknown) => ({ table, row: each }))
              : [{ table, row: null }];
          },
        );
        expect(await unitsOf(...parts(Buffer.from(text), bytes))).toEqual(units);
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['a key twice', '{"a":1,"a":2}', /A row of t has a key twice/],
    ['a key twice within', '{"a":[{"b":1,"b":2}]}', /A row of t has a key twice/],
    ['an endless number', '{"a":[1e999]}', /A row of t has an endless number/],
    ['a number of another form', '{"a":01}', /Not JSON, in t/],
    ['brackets of two kinds', '{"a":1]', /Not JSON, in t/],
    ['what is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /Not UTF-8/],
  ])('are refused for a row with %s between others, however they are chunked', async (_, bad, reason) => {
    const before = Buffer.concat([Buffer.from('{"t": [{"id":1}, {"id":2}, '), Buffer.from(bad)]);
    const whole = Buffer.concat([before, Buffer.from(', {"id":3}], "u": []}')]);
    for (const bytes of [1, 7, before.length, whole.length])
      await expect(unitsOf(...parts(whole, bytes))).rejects.toThrow(
        new RegExp(`${reason.source} \\(before byte ${before.length + 1}\\)`),
      );
  });
});

describe('files with one row per line', () => {
  async function rowsOf(...chunks: readonly (string | Buffer)[]): Promise<unknown[]> {
    const content = () => Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
    const rows: unknown[] = [];
    for await (const row of jsonLines({
      path: 'import.jsonl',
      size: 0,
      content,
      bytes: () => Promise.reject(new Error()),
    }))
      rows.push(row);
    return rows;
  }

  it('are read line by line, however they are chunked', async () => {
    const rows = [{ type: 'version' }, { text: 'a\u2028b\n"}{' }, {}];
    const text = rows.map((row) => JSON.stringify(row)).join('\r\n');
    await expect(rowsOf(text)).resolves.toEqual(rows);
    await expect(rowsOf(...Array.from(`\n${text}\n\n`))).resolves.toEqual(rows);
    await expect(rowsOf('')).resolves.toEqual([]);
  });

  it.each<[string, (string | Buffer)[], RegExp]>([
    ['half a line', ['{"a":1}\n{"b"'], /breaks off/],
    ['a list', ['[{"a":1}]'], /Unexpected character \(before byte 1\)/],
    ['the end of a list', ['{"a":1}]'], /Unexpected character \(before byte 8\)/],
    ['commas', ['{"a":1},{"b":1}'], /Unexpected character \(before byte 8\)/],
    ['a key twice', ['{"a":1,"a":2}'], /key twice/],
    ['no end of nesting', [`{"a":${'['.repeat(100_000)}`], /nested too deeply/],
    ['an endless number', ['{"a":1e999}'], /endless number/],
    [
      'a line of 100 MB',
      Array.from({ length: 100 }, (_, at) => (at === 0 ? '{"a":"' : 'x'.repeat(2 ** 20))),
      /too long/,
    ],
    ['what is not UTF-8', [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])], /Not UTF-8/],
    ['a mark of the byte order', ['\ufeff{"a":1}'], /Unexpected character/],
  ])('are refused for %s', async (_, chunks, message) => {
    await expect(rowsOf(...chunks)).rejects.toThrow(message);
  });
});
