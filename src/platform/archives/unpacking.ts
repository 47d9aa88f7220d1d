import * as fs from 'node:fs/promises';
import { join } from 'node:path';

/** An archive is damaged or malicious; the message names the entry. */
export class ArchiveRefused extends Error {
  constructor(
    /** Path within the archive, or of the archive itself. */
    readonly entry: string,
    reason: string,
  ) {
    super(`${printable(entry)}: ${reason}`);
    this.name = new.target.name;
  }
}

const SHOWN = 200;

/** Names are untrusted and end up on terminals. */
function printable(name: string): string {
  return name.slice(0, SHOWN).replace(/[^\x20-\x7e\u00a0-\u024f]/g, '?');
}

const MAX_BYTES = 1024;
const MAX_PART_BYTES = 255;
const MAX_PARTS = 32;

/**
 * Splits the path of an entry into its parts. A leading `./` and a trailing `/` are ignored.
 * @throws ArchiveRefused for a path that could lead outside its folder, or that no file system accepts
 */
export function entryParts(path: string): string[] {
  if (Buffer.byteLength(path) > MAX_BYTES) throw new ArchiveRefused(path, 'The path is too long.');
  if (/[\x00-\x1f\x7f\\]/.test(path) || !path.isWellFormed() || path.includes('\ufffd'))
    throw new ArchiveRefused(path, 'The path has characters that no path may have.');
  if (path.startsWith('/')) throw new ArchiveRefused(path, 'The path is absolute.');
  const parts = path
    .replace(/^(\.\/)+/, '')
    .replace(/\/+$/, '')
    .split('/');
  if (parts.length === 1 && (parts[0] === '' || parts[0] === '.')) return [];
  if (parts.some((part) => part === '..' || part === '.' || part === ''))
    throw new ArchiveRefused(path, 'The path leads outside of the archive.');
  if (parts.length > MAX_PARTS) throw new ArchiveRefused(path, 'The folders are nested too deeply.');
  if (parts.some((part) => Buffer.byteLength(part) > MAX_PART_BYTES))
    throw new ArchiveRefused(path, 'A part of the path is too long.');
  return parts;
}

/** Creates the folder of an entry. @throws ArchiveRefused */
export async function makeEntryFolder(target: string, path: string): Promise<void> {
  await makeFolder(target, entryParts(path), path);
}

/**
 * Writes the file of an entry, readable only by the server's user. Refuses an existing file.
 * @throws ArchiveRefused
 */
export async function writeEntryFile(
  target: string,
  path: string,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const parts = entryParts(path);
  if (parts.length === 0) throw new ArchiveRefused(path, 'The file has no name.');
  await makeFolder(target, parts.slice(0, -1), path);
  const file = await fs.open(join(target, ...parts), 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new ArchiveRefused(path, 'The archive has it twice.') : error;
  });
  try {
    for await (const part of content)
      for (let written = 0; written < part.length;) written += (await file.write(part, written)).bytesWritten;
  } finally {
    await file.close();
  }
}

async function makeFolder(target: string, parts: readonly string[], path: string): Promise<void> {
  try {
    await fs.mkdir(join(target, ...parts), { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    throw new ArchiveRefused(path, 'Its folder is also a file in the archive.');
  }
}

/** Limits of an archive. */
export interface UnpackLimits {
  readonly entries: number;
  /** Total size of all files in bytes. */
  readonly bytes: number;
}

/** Progress and cancellation of unpacking. */
export interface UnpackProgress {
  readonly signal: AbortSignal;
  /** In bytes of the compressed file. */
  readonly report: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Maximum compression ratio. DEFLATE reaches 1,032; real archives stay far below this. */
const MOST_COMPRESSED = 400;

/** The ratio is not checked below this number of bytes. */
const FREE_BYTES = 256 * 1024 ** 2;

/** Enforces the limits while unpacking. */
export class UnpackQuota {
  private entries = 0;
  private bytes = 0;

  /** @param compressed number of compressed bytes read so far */
  constructor(
    private readonly limits: UnpackLimits,
    private readonly compressed: () => number,
  ) {}

  /** @throws ArchiveRefused */
  entry({ path, size }: { readonly path: string; readonly size: number }): void {
    if (++this.entries > this.limits.entries)
      throw new ArchiveRefused(path, `The archive has more than ${this.limits.entries} entries.`);
    if (this.bytes + size > this.limits.bytes)
      throw new ArchiveRefused(path, `The archive holds more than ${this.limits.bytes} bytes.`);
  }

  /** @throws ArchiveRefused */
  add(path: string, count: number): void {
    this.bytes += count;
    if (this.bytes > FREE_BYTES && this.bytes > this.compressed() * MOST_COMPRESSED)
      throw new ArchiveRefused(path, 'Suspiciously high compression ratio.');
  }
}

/** Reads a stream of chunks by number of bytes. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);
  /** Bytes read so far. */
  read = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** The next bytes, at most this many; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next();
      if (next.done) return null;
      this.rest = next.value;
    }
    const part = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(part.length);
    this.read += part.length;
    return part;
  }

  /** Exactly this many bytes; fewer if the stream ends first. Only for small numbers. */
  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0;) {
      const part = await this.some(left);
      if (part === null) break;
      parts.push(part);
      left -= part.length;
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }
}
