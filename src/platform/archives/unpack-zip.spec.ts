import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ZipContent, zipOf } from '../../../test/support/zip';
import { unpackZip } from './unpack-zip';

describe('ZIP archives of strangers', () => {
  let folder: string;
  let count = 0;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'parley-archives-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function unpack(bytes: Buffer, limits = { entries: 5, bytes: 2 ** 31 }): Promise<string> {
    const archive = join(folder, `archive-${++count}.zip`);
    writeFileSync(archive, bytes);
    const target = join(folder, `in-${count}`);
    mkdirSync(target);
    const progress = { signal: new AbortController().signal, report: () => undefined };
    await unpackZip(archive, target, limits, progress);
    return target;
  }

  /** An archive that gives the location of its directory in ZIP64 format. */
  function longZip(entries: readonly ZipContent[], change?: (record: Buffer) => void): Buffer {
    const short = zipOf(entries);
    const end = Buffer.from(short.subarray(-22));
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50, 0);
    record.writeBigUInt64LE(44n, 4);
    for (const at of [24, 32]) record.writeBigUInt64LE(BigInt(end.readUInt16LE(10)), at);
    record.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40);
    record.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48);
    change?.(record);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50, 0);
    locator.writeBigUInt64LE(BigInt(short.length - 22), 8);
    locator.writeUInt32LE(1, 16);
    end.fill(0xff, 8, 20);
    return Buffer.concat([short.subarray(0, -22), record, locator, end]);
  }

  it.each([
    ['short numbers', zipOf],
    ['long numbers', longZip],
  ])('come out as they went in, with %s', async (_, pack) => {
    const target = await unpack(
      pack([
        ['out/a.json', '{}'],
        ['out/ü/b.txt', 'more'.repeat(100_000)],
        ['out/d/', '', { mode: 0o040755 }],
        ['out/empty', '', { mode: 0o100644 }],
      ]),
    );
    expect(readFileSync(join(target, 'out/a.json'), 'utf8')).toBe('{}');
    expect(readFileSync(join(target, 'out/ü/b.txt'), 'utf8')).toBe('more'.repeat(100_000));
    expect(readFileSync(join(target, 'out/empty'), 'utf8')).toBe('');
    expect(existsSync(join(target, 'out/d'))).toBe(true);
    await unpack(zipOf([]));
  });

  const longSize = (size: bigint) => {
    const extra = Buffer.alloc(12);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(size, 4);
    return extra;
  };

  it.each<[string, () => Buffer, RegExp]>([
    ['a path upwards', () => zipOf([['out/../../up', 'x']]), /^out\/\.\.\/\.\.\/up: .*outside/],
    ['an absolute path', () => zipOf([['/tmp/abs', 'x']]), /^\/tmp\/abs: .*absolute/],
    ['a path of another system', () => zipOf([['out\\a', 'x']]), /^out\\a: .*characters/],
    ['a path in no known writing', () => zipOf([[Buffer.from([0x61, 0xff]), 'x']]), /not UTF-8/],
    [
      'a symbolic link',
      () => zipOf([['link', '/etc', { mode: 0o120777 }]]),
      /^link: This is a symbolic link/,
    ],
    ['a device', () => zipOf([['null', '', { mode: 0o020666 }]]), /^null: This is a device/],
    ['a folder that is a file', () => zipOf([['a/', '', { mode: 0o100644 }]]), /neither a file nor a folder/],
    [
      'an entry twice',
      () =>
        zipOf([
          ['a', '1'],
          ['a', '2'],
        ]),
      /^a: The archive has it twice/,
    ],
    [
      'a file for a folder',
      () =>
        zipOf([
          ['a', '1'],
          ['a/b', '2'],
        ]),
      /^a\/b: Its folder is also a file/,
    ],
    [
      'too many',
      () => zipOf('abcdef'.split('').map((name): ZipContent => [name, ''])),
      /more than 5 entries/,
    ],
    ['a password', () => zipOf([['a', 'x', { flags: 1 }]]), /^a: This is encrypted/],
    ['hidden headers', () => zipOf([['a', 'x', { flags: 0x2000 }]]), /^a: This is encrypted/],
    ['another compression', () => zipOf([['a', 'x', { method: 12 }]]), /^a: .*compressed in a way .*12/],
    ['a size too small', () => zipOf([['a', 'x'.repeat(9000), { size: 5 }]]), /^a: It is larger/],
    ['a size too large', () => zipOf([['a', 'x', { size: 5 }]]), /^a: Its content is not what/],
    ['a wrong sum', () => zipOf([['a', 'x', { checksum: 5 }]]), /^a: Its content is not what/],
    [
      'shared bytes',
      () =>
        zipOf([
          ['a', 'x'],
          ['b', 'y'],
          ['a', 'x', { sharedWith: 0 }],
        ]),
      /^a: It shares bytes/,
    ],
    ['two names', () => zipOf([['a', 'x', { ownName: 'b' }]]), /^a: Its header says something else/],
    [
      'a long size that is missing',
      () => zipOf([['a', 'x', { size: 0xffffffff }]]),
      /^a: It lacks its sizes/,
    ],
    [
      'a long size that lies',
      () => zipOf([['a', 'x', { size: 0xffffffff, extra: longSize(2n ** 40n) }]]),
      /^a: .*more than 2147483648 bytes/,
    ],
    [
      'a long size that is no number',
      () => zipOf([['a', 'x', { size: 0xffffffff, extra: longSize(2n ** 60n) }]]),
      /^a: A size is no number/,
    ],
    [
      'two long sizes',
      () => zipOf([['a', 'x', { size: 0xffffffff, extra: Buffer.concat([longSize(1n), longSize(2n)]) }]]),
      /^a: It has its sizes twice/,
    ],
    [
      'long numbers that lie',
      () => longZip([['a', 'x']], (r) => void r.writeBigUInt64LE(7n, 48)),
      /not where/,
    ],
    [
      'short numbers that lie',
      () => zipOf([['a', 'x']], (end) => void end.writeUInt32LE(7, 16)),
      /not where/,
    ],
    [
      'entries it does not count',
      () =>
        zipOf(
          [
            ['a', 'x'],
            ['b', 'y'],
          ],
          (end) => {
            end.writeUInt16LE(1, 8);
            end.writeUInt16LE(1, 10);
          },
        ),
      /more than the entries it counts/,
    ],
    ['several parts', () => zipOf([['a', 'x']], (end) => void end.writeUInt16LE(1, 4)), /several parts/],
    ['half an archive', () => zipOf([['a', 'x']]).subarray(0, 60), /no ZIP archive/],
    [
      'something behind it',
      () => Buffer.concat([zipOf([['a', 'x']]), Buffer.from('more')]),
      /no ZIP archive/,
    ],
    [
      'damage',
      () => {
        const bytes = zipOf([['a', String(Math.PI).repeat(99)]]);
        bytes.fill(0xff, 31, 40);
        return bytes;
      },
      /^a: The archive is damaged \(Z_/,
    ],
    ['a bomb', () => zipOf([['zeros', Buffer.alloc(400 * 1024 ** 2)]]), /^zeros: .*compression ratio/],
  ])('are refused for %s', async (_, bytes, message) => {
    await expect(unpack(bytes())).rejects.toThrow(message);
    expect(existsSync(join(folder, 'up'))).toBe(false);
  });
});
