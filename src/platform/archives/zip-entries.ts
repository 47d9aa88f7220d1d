import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { ArchiveRefused, ByteReader } from './unpacking';

/**
 * An entry of a ZIP archive's central directory, to be verified against its local header. Parsed here rather than by yauzl,
 * which throws an uncatchable error for a ZIP64 offset beyond 2^53 and verifies neither local headers, checksums, file types
 * nor overlaps.
 */
export interface ZipEntry {
  readonly path: string;
  readonly isFolder: boolean;
  readonly isCompressed: boolean;
  readonly compressedSize: number;
  readonly size: number;
  readonly checksum: number;
  /** Offset of the local header. */
  readonly offset: number;
}

/** Location of the central directory. */
export interface ZipDirectory {
  readonly offset: number;
  readonly size: number;
  readonly entries: number;
}

const END = 0x06054b50;
const END_LENGTH = 22;
const LONG_END = 0x06064b50;
const LONG_END_LENGTH = 56;
const LOCATOR = 0x07064b50;
const LOCATOR_LENGTH = 20;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;
const LOCAL = 0x04034b50;
const LOCAL_LENGTH = 30;

const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;
const LONG_SIZES = 1;

/** General purpose bits: encryption (three kinds), sizes in a data descriptor, patched data. */
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000;
const SIZES_BEHIND = 0x0008;
const PATCHED = 0x0020;

const UNIX = 3;
const KIND = 0o170000;
const KINDS: Readonly<Record<number, string>> = {
  0o120000: 'a symbolic link',
  0o060000: 'a device',
  0o020000: 'a device',
  0o010000: 'a pipe',
  0o140000: 'a socket',
};

/** Locates the central directory. @throws ArchiveRefused */
export async function zipDirectory(file: FileHandle, archive: string): Promise<ZipDirectory> {
  const { size: total } = await file.stat();
  const length = Math.min(total, END_LENGTH + MAX_16);
  const tail = await bytesAt(file, total - length, length, archive);
  let at = tail.length - END_LENGTH;
  while (
    at >= 0 &&
    !(tail.readUInt32LE(at) === END && tail.readUInt16LE(at + 20) === tail.length - at - END_LENGTH)
  )
    at--;
  if (at < 0) throw new ArchiveRefused(archive, 'This is no ZIP archive, or it breaks off.');
  const end = tail.subarray(at);
  const position = total - length + at;
  const short = {
    offset: end.readUInt32LE(16),
    size: end.readUInt32LE(12),
    entries: end.readUInt16LE(10),
  };
  if (end.readUInt16LE(8) !== short.entries || (end.readUInt16LE(4) !== 0 && end.readUInt16LE(4) !== MAX_16))
    throw new ArchiveRefused(archive, 'The archive has several parts.');
  const long = await longDirectory(file, position, archive);
  if (long === null && (short.offset === MAX_32 || short.size === MAX_32 || short.entries === MAX_16))
    throw new ArchiveRefused(archive, 'Its directory has no place.');
  const { before, ...directory } = long ?? { ...short, before: position };
  const isTrue =
    matches(short.offset, directory.offset, MAX_32) &&
    matches(short.size, directory.size, MAX_32) &&
    matches(short.entries, directory.entries, MAX_16);
  if (!isTrue || directory.offset + directory.size !== before)
    throw new ArchiveRefused(archive, 'Its directory is not where the archive says.');
  return directory;
}

/** The ZIP64 location of the central directory; null if the archive has none. */
async function longDirectory(
  file: FileHandle,
  end: number,
  archive: string,
): Promise<(ZipDirectory & { before: number }) | null> {
  if (end < LOCATOR_LENGTH) return null;
  const locator = await bytesAt(file, end - LOCATOR_LENGTH, LOCATOR_LENGTH, archive);
  if (locator.readUInt32LE(0) !== LOCATOR) return null;
  const before = long(locator, 8, archive);
  if (before > end - LOCATOR_LENGTH - LONG_END_LENGTH)
    throw new ArchiveRefused(archive, 'Its directory is not where the archive says.');
  const record = await bytesAt(file, before, LONG_END_LENGTH, archive);
  const isWhole =
    record.readUInt32LE(0) === LONG_END &&
    before + 12 + long(record, 4, archive) === end - LOCATOR_LENGTH &&
    long(record, 24, archive) === long(record, 32, archive);
  if (!isWhole)
    throw new ArchiveRefused(archive, 'Its directory is damaged, or the archive has several parts.');
  return {
    offset: long(record, 48, archive),
    size: long(record, 40, archive),
    entries: long(record, 32, archive),
    before,
  };
}

/** Streams the central directory. @throws ArchiveRefused for links, devices, encryption and malformed entries */
export async function* zipEntries(archive: string, directory: ZipDirectory): AsyncGenerator<ZipEntry> {
  if (directory.size === 0) {
    if (directory.entries !== 0) throw new ArchiveRefused(archive, 'Its directory is empty.');
    return;
  }
  const end = directory.offset + directory.size - 1;
  const source = createReadStream(archive, { start: directory.offset, end });
  try {
    const bytes = new ByteReader(source as AsyncIterable<Buffer>);
    let previous = archive;
    for (let count = 0; count < directory.entries; count++) {
      const head = await bytes.exactly(ENTRY_LENGTH);
      if (head.length < ENTRY_LENGTH || head.readUInt32LE(0) !== ENTRY)
        throw new ArchiveRefused(previous, 'The directory is damaged behind this.');
      const name = await bytes.exactly(head.readUInt16LE(28));
      const extra = await bytes.exactly(head.readUInt16LE(30));
      const comment = await bytes.exactly(head.readUInt16LE(32));
      if (comment.length < head.readUInt16LE(32))
        throw new ArchiveRefused(previous, 'The directory breaks off behind this.');
      const entry = entryOf(head, name, extra);
      previous = entry.path;
      yield entry;
    }
    if (bytes.read !== directory.size)
      throw new ArchiveRefused(archive, 'Its directory has more than the entries it counts.');
  } finally {
    source.destroy();
  }
}

function entryOf(head: Buffer, name: Buffer, extra: Buffer): ZipEntry {
  const path = name.toString('utf8');
  if (!isUtf8(name)) throw new ArchiveRefused(path, 'The path is not UTF-8.');
  const flags = head.readUInt16LE(8);
  const method = head.readUInt16LE(10);
  if ((flags & ENCRYPTED) !== 0) throw new ArchiveRefused(path, 'This is encrypted.');
  if ((flags & PATCHED) !== 0 || (method !== STORED && method !== DEFLATED))
    throw new ArchiveRefused(path, `It is compressed in a way that is not read here (${method}).`);
  const isFolder = path.endsWith('/');
  const kind = head[5] === UNIX ? (head.readUInt32LE(38) >>> 16) & KIND : 0;
  const isKnown = kind === 0 || kind === (isFolder ? 0o040000 : 0o100000);
  if (!isKnown) throw new ArchiveRefused(path, `This is ${KINDS[kind] ?? 'neither a file nor a folder'}.`);
  const longs = longNumbers(extra, path);
  const number = (at: number) => {
    const value = head.readUInt32LE(at);
    return value === MAX_32 ? longs(path) : value;
  };
  const size = number(24);
  const compressedSize = number(20);
  const offset = number(42);
  const disk = head.readUInt16LE(34);
  if (disk !== 0 && disk !== MAX_16) throw new ArchiveRefused(path, 'The archive has several parts.');
  if (isFolder && size !== 0) throw new ArchiveRefused(path, 'A folder has content.');
  if (method === STORED && size !== compressedSize)
    throw new ArchiveRefused(path, 'It has two sizes without being compressed.');
  return {
    ...{ path, isFolder, compressedSize, size, offset },
    isCompressed: method === DEFLATED,
    checksum: head.readUInt32LE(16),
  };
}

/** Reads the ZIP64 values of an entry in order. */
function longNumbers(extra: Buffer, path: string): (path: string) => number {
  let found: Buffer | null = null;
  for (let at = 0; at < extra.length;) {
    if (at + 4 > extra.length) break;
    const kind = extra.readUInt16LE(at);
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (end > extra.length) throw new ArchiveRefused(path, 'What is added to its header breaks off.');
    if (kind === LONG_SIZES) {
      if (found !== null) throw new ArchiveRefused(path, 'It has its sizes twice.');
      found = extra.subarray(at + 4, end);
    }
    at = end;
  }
  let next = 0;
  return () => {
    if (found === null || next + 8 > found.length) throw new ArchiveRefused(path, 'It lacks its sizes.');
    next += 8;
    return long(found, next - 8, path);
  };
}

/**
 * Verifies an entry against its local header.
 * @returns the offset of the content
 * @throws ArchiveRefused for a mismatch
 */
export async function contentStart(
  file: FileHandle,
  entry: ZipEntry,
  directory: ZipDirectory,
): Promise<number> {
  const { path, offset } = entry;
  if (offset + LOCAL_LENGTH > directory.offset)
    throw new ArchiveRefused(path, 'It is outside of the archive.');
  const head = await bytesAt(file, offset, LOCAL_LENGTH, path);
  const nameLength = head.readUInt16LE(26);
  const start = offset + LOCAL_LENGTH + nameLength + head.readUInt16LE(28);
  if (head.readUInt32LE(0) !== LOCAL || start + entry.compressedSize > directory.offset)
    throw new ArchiveRefused(path, 'It is not where the directory says.');
  const name = await bytesAt(file, offset + LOCAL_LENGTH, nameLength, path);
  const flags = head.readUInt16LE(6);
  const sizesMatch =
    (flags & SIZES_BEHIND) !== 0 ||
    (matches(head.readUInt32LE(18), entry.compressedSize, MAX_32) &&
      matches(head.readUInt32LE(22), entry.size, MAX_32));
  const isSame =
    name.toString('utf8') === path &&
    (flags & ENCRYPTED) === 0 &&
    (head.readUInt16LE(8) === DEFLATED) === entry.isCompressed &&
    sizesMatch;
  if (!isSame) throw new ArchiveRefused(path, 'Its header says something else than the directory.');
  return start;
}

/** Whether a value equals the expected one, or refers to the ZIP64 field. */
function matches(short: number, meant: number, full: number): boolean {
  return short === meant || short === full;
}

function long(bytes: Buffer, at: number, path: string): number {
  const value = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(value)) throw new ArchiveRefused(path, 'A size is no number.');
  return value;
}

async function bytesAt(file: FileHandle, at: number, length: number, path: string): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(bytes, read, length - read, at + read);
    if (bytesRead === 0) throw new ArchiveRefused(path, 'The archive breaks off here.');
    read += bytesRead;
  }
  return bytes;
}
