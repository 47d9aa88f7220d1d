import { padding, tarHeader } from './tar-gz-writer';

const entry = { path: 'folder/file.json', size: 5, modifiedAt: 1_700_000_000 };
const text = (block: Buffer, from: number, to: number) =>
  block.toString('utf8', from, to).replace(/\0.*$/s, '');

/** The sum of a header's bytes, with blanks for the checksum itself. */
function sumOf(block: Buffer): number {
  const copy = Buffer.from(block);
  copy.fill(' ', 148, 156);
  return copy.reduce((sum, byte) => sum + byte, 0);
}

describe('the header of a file', () => {
  it('is one block with name, size, time and checksum', () => {
    const header = tarHeader(entry);
    expect(header).toHaveLength(512);
    expect(text(header, 0, 100)).toBe('folder/file.json');
    expect(Number.parseInt(text(header, 124, 136), 8)).toBe(5);
    expect(Number.parseInt(text(header, 136, 148), 8)).toBe(1_700_000_000);
    expect(Number.parseInt(text(header, 148, 156), 8)).toBe(sumOf(header));
  });

  it.each([
    ['folder/plän.txt', '25 path=folder/plän.txt\n'],
    ['a'.repeat(100), ''],
    ['a'.repeat(101), `111 path=${'a'.repeat(101)}\n`],
    ['a'.repeat(90) + 'ä', `102 path=${'a'.repeat(90)}ä\n`],
  ])('has the name %s before it where it does not fit', (path, records) => {
    const header = tarHeader({ ...entry, path });
    if (records === '') return expect(header).toHaveLength(512);
    expect(header).toHaveLength(3 * 512);
    expect(text(header, 156, 157)).toBe('x');
    expect(text(header, 512, 1024)).toBe(records);
    expect(Buffer.byteLength(records)).toBe(Number.parseInt(records));
    expect(text(header, 1024 + 156, 1024 + 157)).toBe('0');
  });

  it('is preceded by a size that does not fit', () => {
    const header = tarHeader({ ...entry, size: 8 * 2 ** 30 });
    expect(text(header, 512, 1024)).toBe('19 size=8589934592\n');
  });
});

it.each([
  [0, 0],
  [1, 511],
  [512, 0],
  [513, 511],
])('contents of %d bytes are filled up by %d', (size, more) => {
  expect(padding(size)).toHaveLength(more);
});
