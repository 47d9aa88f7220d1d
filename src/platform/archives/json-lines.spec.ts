import { Readable } from 'node:stream';
import { jsonLines } from './json-rows';

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
