import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import {
  ArchiveRefused,
  ByteReader,
  makeEntryFolder,
  type UnpackLimits,
  type UnpackProgress,
  UnpackQuota,
  writeEntryFile,
} from './unpacking';

const BLOCK = 512;

/** Maximum length of an extended header, in bytes. */
const MAX_EXTENSION = 64 * 1024;

/** The header of an entry. */
interface TarEntryHeader {
  readonly path: string;
  readonly isFolder: boolean;
  /** Number of bytes that follow. */
  readonly size: number;
}

const KINDS: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a pipe',
  S: 'a sparse file',
};

/**
 * Reads headers until one that describes a file or a folder.
 * @returns null at the end of the archive
 * @throws ArchiveRefused for links, devices, damaged headers, and any other kind of entry
 */
async function nextEntry(bytes: ByteReader, archive: string): Promise<TarEntryHeader | null> {
  const extended = new Map<string, string>();
  let previous = archive;
  for (;;) {
    const block = await bytes.exactly(BLOCK);
    if (block.length < BLOCK)
      throw new ArchiveRefused(previous, `The archive breaks off at byte ${bytes.read}.`);
    if (block.every((byte) => byte === 0)) return null;
    if (!isSumRight(block))
      throw new ArchiveRefused(previous, `The header before byte ${bytes.read} is damaged.`);
    const kind = String.fromCharCode(block[156] as number);
    const path = extended.get('path') ?? plainPath(block);
    const size = sizeOf(extended.get('size'), block, path);
    previous = path;
    if (kind === 'x' || kind === 'g' || kind === 'L') {
      if (size > MAX_EXTENSION) throw new ArchiveRefused(path, 'An extended header is too long.');
      const content = await bytes.exactly(size);
      await bytes.exactly(filling(size));
      if (content.length < size) throw new ArchiveRefused(path, 'The archive breaks off here.');
      if (kind === 'L') extended.set('path', untilNul(content));
      if (kind === 'x') for (const [key, value] of paxRecords(content, path)) extended.set(key, value);
      continue;
    }
    if (kind === '5') return { path, isFolder: true, size };
    if (kind !== '0' && kind !== '\0' && kind !== '7')
      throw new ArchiveRefused(path, `This is ${KINDS[kind] ?? 'neither a file nor a folder'}.`);
    if ([...extended.keys()].some((key) => key.startsWith('GNU.sparse')))
      throw new ArchiveRefused(path, 'This is a sparse file.');
    return { path, isFolder: false, size };
  }
}

/** Number of bytes that pad contents of this length to whole blocks. */
function filling(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function isSumRight(block: Buffer): boolean {
  const stated = Number.parseInt(block.toString('latin1', 148, 156).replace(/\0.*$/s, '').trim(), 8);
  let sum = 8 * 32;
  for (let at = 0; at < BLOCK; at++) if (at < 148 || at >= 156) sum += block[at] as number;
  return sum === stated;
}

function plainPath(block: Buffer): string {
  const name = untilNul(block.subarray(0, 100));
  const isUstar = block.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? untilNul(block.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function untilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}

/** The extended size if present, otherwise octal digits, or a binary number if the first bit is set. */
function sizeOf(extended: string | undefined, block: Buffer, path: string): number {
  const field = block.subarray(124, 136);
  let size: number;
  if (extended !== undefined) size = /^\d{1,15}$/.test(extended) ? Number(extended) : NaN;
  else if (((field[0] as number) & 0x80) !== 0) {
    size = field.subarray(1).reduce((sum, byte) => sum * 256 + byte, (field[0] as number) & 0x7f);
  } else {
    const digits = untilNul(field).trim();
    size = /^[0-7]*$/.test(digits) ? Number.parseInt(digits || '0', 8) : NaN;
  }
  if (!Number.isSafeInteger(size)) throw new ArchiveRefused(path, 'Its size is no number.');
  return size;
}

/** Records of the form `length key=value` and a line feed. */
function* paxRecords(content: Buffer, path: string): Iterable<[string, string]> {
  for (let at = 0; at < content.length;) {
    const blank = content.indexOf(32, at);
    const length = Number(content.toString('latin1', at, blank === -1 ? at : blank));
    const end = at + length;
    const equals = content.indexOf(61, blank);
    const isWhole =
      Number.isInteger(length) && length > 0 && end <= content.length && content[end - 1] === 10;
    if (!isWhole || equals === -1 || equals >= end)
      throw new ArchiveRefused(path, 'An extended header is damaged.');
    yield [content.toString('utf8', blank + 1, equals), content.toString('utf8', equals + 1, end - 1)];
    at = end;
  }
}

/**
 * Unpacks a compressed tar archive into an existing, empty folder. Only the server's user can read the files. Nothing
 * is ever written elsewhere, whatever the archive contains; after a refusal the caller removes the folder.
 * @throws ArchiveRefused naming the entry
 */
export async function unpackTar(
  archive: string,
  target: string,
  limits: UnpackLimits,
  { signal, report }: UnpackProgress,
): Promise<void> {
  const { size: total } = await fs.stat(archive);
  const source = createReadStream(archive);
  const unzipped = new PassThrough();
  const unzipping = pipeline(source, createGunzip(), unzipped, { signal });
  // The reader below gets the error from its own stream.
  unzipping.catch(() => undefined);
  const bytes = new ByteReader(unzipped as AsyncIterable<Buffer>);
  const quota = new UnpackQuota(limits, () => source.bytesRead);
  let at = archive;
  try {
    for (;;) {
      const entry = await nextEntry(bytes, at);
      if (entry === null) break;
      at = entry.path;
      quota.entry(entry);
      await unpackEntry(entry, target, bytes, quota);
      report({ done: source.bytesRead, total });
    }
  } catch (error) {
    if (signal.aborted || error instanceof ArchiveRefused || !isDamage(error)) throw error;
    throw new ArchiveRefused(at, `The archive is damaged (${error.code}).`);
  } finally {
    unzipped.destroy();
    await unzipping.catch(() => undefined);
  }
}

/** Whether an error concerns the compressed data. */
function isDamage(error: unknown): error is NodeJS.ErrnoException {
  return String((error as NodeJS.ErrnoException | undefined)?.code).startsWith('Z_');
}

async function unpackEntry(
  { path, isFolder, size }: TarEntryHeader,
  target: string,
  bytes: ByteReader,
  quota: UnpackQuota,
): Promise<void> {
  if (isFolder) {
    await makeEntryFolder(target, path);
    return skip(bytes, size + filling(size), path);
  }
  await writeEntryFile(target, path, contentOf(path, size, bytes, quota));
  await skip(bytes, filling(size), path);
}

async function* contentOf(
  path: string,
  size: number,
  bytes: ByteReader,
  quota: UnpackQuota,
): AsyncGenerator<Buffer> {
  for (let left = size; left > 0;) {
    const part = await bytes.some(Math.min(left, 1024 * 1024));
    if (part === null) throw new ArchiveRefused(path, 'The archive breaks off here.');
    quota.add(path, part.length);
    yield part;
    left -= part.length;
  }
}

async function skip(bytes: ByteReader, count: number, path: string): Promise<void> {
  for (let left = count; left > 0;) {
    const part = await bytes.some(left);
    if (part === null) throw new ArchiveRefused(path, 'The archive breaks off here.');
    left -= part.length;
  }
}
