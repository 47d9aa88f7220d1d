import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ArchiveFolder } from './archive-folder';
import { jsonRows, type JsonUnit } from './json-rows';
import { padding, tarHeader } from './tar-gz-writer';
import { unpackTar } from './unpack-tar';

const END = Buffer.alloc(1024);

/** A tar archive; headers may be changed before their checksums are recalculated. */
function tar(
  ...entries: [path: string, content: string | Buffer, change?: (header: Buffer) => void][]
): Buffer {
  const blocks = entries.flatMap(([path, text, change]) => {
    const content = Buffer.from(text);
    const header = tarHeader({ path, size: content.length, modifiedAt: 0 });
    const plain = header.subarray(header.length - 512);
    change?.(plain);
    plain.fill(32, 148, 156);
    const sum = plain.reduce((total, byte) => total + byte, 0);
    plain.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, content, padding(content.length)];
  });
  return Buffer.concat([...blocks, END]);
}

const kind = (letter: string) => (header: Buffer) => void header.write(letter, 156);

describe('archives of strangers', () => {
  let folder: string;
  let count = 0;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'parley-archives-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function unpack(bytes: Buffer, limits = { entries: 5, bytes: 2 ** 31 }): Promise<string> {
    const archive = join(folder, `archive-${++count}.tar.gz`);
    writeFileSync(archive, bytes);
    const target = join(folder, `in-${count}`);
    mkdirSync(target);
    const progress = { signal: new AbortController().signal, report: () => undefined };
    await unpackTar(archive, target, limits, progress);
    return target;
  }

  it('are unpacked unchanged', async () => {
    const long = `out/${'long'.repeat(40)}/ü.txt`;
    const target = await unpack(
      gzipSync(tar(['./out/a.json', '{}'], [long, 'more'], ['out/d/', '', kind('5')])),
    );
    expect(readFileSync(join(target, 'out/a.json'), 'utf8')).toBe('{}');
    expect(readFileSync(join(target, long), 'utf8')).toBe('more');
    expect(existsSync(join(target, 'out/d'))).toBe(true);
  });

  it.each<[string, () => Buffer, RegExp]>([
    ['a path upwards', () => gzipSync(tar(['out/../../up', 'x'])), /^out\/\.\.\/\.\.\/up: .*outside/],
    ['an absolute path', () => gzipSync(tar(['/tmp/abs', 'x'])), /^\/tmp\/abs: .*absolute/],
    ['a character', () => gzipSync(tar(['out/a\x1bb', 'x'])), /^out\/a\?b: .*characters/],
    ['a path too long', () => gzipSync(tar([`${'a/'.repeat(40)}b`, 'x'])), /nested too deeply/],
    [
      'a symbolic link',
      () => gzipSync(tar(['out/link', '', kind('2')])),
      /^out\/link: This is a symbolic link/,
    ],
    ['a hard link', () => gzipSync(tar(['out/link', '', kind('1')])), /^out\/link: This is a hard link/],
    ['a device', () => gzipSync(tar(['out/null', '', kind('3')])), /^out\/null: This is a device/],
    [
      'an entry twice',
      () => gzipSync(tar(['out/a', '1'], ['out/a', '2'])),
      /^out\/a: The archive has it twice/,
    ],
    [
      'a file for a folder',
      () => gzipSync(tar(['out/a', '1'], ['out/a/b', '2'])),
      /^out\/a\/b: Its folder is also a file/,
    ],
    [
      'too many',
      () => gzipSync(tar(...'abcdef'.split('').map((n): [string, string] => [n, '']))),
      /^f: .*5 entries/,
    ],
    [
      'a lying size',
      () => gzipSync(tar(['big', '', (h) => void h.write('77777777777\0', 124)])),
      /^big: .*bytes/,
    ],
    [
      'a size that is none',
      () => gzipSync(tar(['bad', '', (h) => void h.write('9z\0', 124)])),
      /^bad: .*size/,
    ],
    [
      'half an archive',
      () => gzipSync(tar(['out/a', 'x'.repeat(2000)]).subarray(0, 1024)),
      /^out\/a: .*breaks off/,
    ],
    [
      'half the compression',
      () => gzipSync(tar(['out/a', Buffer.from(String(Math.PI).repeat(9999))])).subarray(0, 300),
      /^out\/a: .*damaged/,
    ],
    ['no compression', () => tar(['out/a', 'x']), /damaged/],
    ['a bomb', () => gzipSync(tar(['zeros', Buffer.alloc(400 * 1024 ** 2)])), /^zeros: .*compression ratio/],
  ])('are refused for %s', async (_, bytes, message) => {
    await expect(unpack(bytes())).rejects.toThrow(message);
    expect(existsSync(join(folder, 'up'))).toBe(false);
  });

  it('open only regular files', async () => {
    writeFileSync(join(folder, 'secret'), 'x');
    mkdirSync(join(folder, 'in'));
    symlinkSync('../secret', join(folder, 'in/link'));
    symlinkSync('..', join(folder, 'in/up'));
    const archive = new ArchiveFolder(join(folder, 'in'));
    await expect(archive.file('link')).rejects.toThrow('link: This is not a regular file.');
    await expect(archive.file('up/secret')).rejects.toThrow(
      'up/secret: A folder of its path is a symbolic link.',
    );
    await expect(archive.file('../secret')).rejects.toThrow('outside');
    await expect(archive.file('none')).resolves.toBeNull();
  });
});

describe('rows of JSON files', () => {
  async function read(
    text: string | Buffer,
    isWanted?: (table: string) => boolean,
    piece = 3,
  ): Promise<JsonUnit[]> {
    const bytes = Buffer.from(text);
    const units: JsonUnit[] = [];
    async function* content() {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
    }
    const file = { path: 'f.json', size: bytes.length, content, bytes: async () => bytes };
    for await (const unit of jsonRows(file, isWanted)) units.push(unit);
    return units;
  }

  it('are read one by one', async () => {
    const text =
      '{"a": [{"x": "}\\"]ü:", "y": [1, {"z": null}]} , {}], "n": 12 , "o": {"p": []}, "b": [{"x": 1}]}';
    const units = [
      { table: 'a', row: { x: '}"]ü:', y: [1, { z: null }] } },
      { table: 'a', row: {} },
      { table: 'n', row: null },
      { table: 'o', row: null },
      { table: 'b', row: { x: 1 } },
    ];
    await expect(read(text)).resolves.toEqual(units);
    await expect(read(text, undefined, 1000)).resolves.toEqual(units);
    await expect(read(text, (table) => table === 'b')).resolves.toEqual([units[4]]);
    await expect(read('[{"x": 1},{"x": 2}]')).resolves.toEqual(
      [1, 2].map((x) => ({ table: '', row: { x } })),
    );
  });

  it.each([
    ['{"a": [{"x": 1, "x": 2}]}', /f\.json: A row of a has a key twice/],
    ['{"a": [{"__proto__": 1, "__proto__": 2}]}', /key twice/],
    ['{"a": [], "a": []}', /a is there twice/],
    ['{"a": [{"x": NaN}]}', /Not JSON, in a/],
    ['{"a": [{"x": 1e999}]}', /endless number/],
    ['{"a": [1]}', /Unexpected character/],
    ['{"a": [{}{}]}', /Unexpected character/],
    ['{"a": [{}]', /breaks off/],
    ['{"a": []} {', /Unexpected character .*byte 11/],
    ['\ufeff{}', /Unexpected character/],
    ['', /breaks off/],
    [`{"a": [{"x": ${'['.repeat(100)}`, /nested too deeply/],
    [Buffer.from([...Buffer.from('{"a": [{"x": "'), 0xff, ...Buffer.from('"}]}')]), /Not UTF-8/],
    [`{"a": [{"x": "${'x'.repeat(17 * 1024 ** 2)}"}]}`, /too long/],
  ])('are refused where they are none (case %#)', async (text, message) => {
    await expect(read(text, undefined, 65_536)).rejects.toThrow(message);
  });
});
