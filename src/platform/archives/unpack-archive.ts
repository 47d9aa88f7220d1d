import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveRefused } from './archive-refused';
import { ByteReader } from './byte-reader';
import { entryParts } from './entry-path';
import { filling, nextEntry, type TarEntryHeader } from './tar-entries';

/** Most that an archive may hold. */
export interface UnpackLimits {
  readonly entries: number;
  /** Bytes of all files together. */
  readonly bytes: number;
}

/** DEFLATE makes at most 1 of 1,032; what people write, and tables of it, never comes near this. */
const MOST_COMPRESSED = 400;

/** Bytes up to which compression does not matter. */
const FREE_BYTES = 256 * 1024 ** 2;

interface Progress {
  /** Bytes of the compressed file. */
  readonly done: number;
  readonly total: number;
}

/**
 * Unpacks a compressed tar archive into a folder that exists and is empty. Files are readable for the server alone. Nothing
 * is ever written elsewhere, whatever the archive says; after a refusal the caller removes the folder.
 * @throws ArchiveRefused naming the entry
 */
export async function unpackArchive(
  archive: string,
  target: string,
  limits: UnpackLimits,
  { signal, report }: { readonly signal: AbortSignal; readonly report: (progress: Progress) => void },
): Promise<void> {
  const { size: total } = await fs.stat(archive);
  const source = createReadStream(archive);
  const unzipped = new PassThrough();
  const unzipping = pipeline(source, createGunzip(), unzipped, { signal });
  // The reader below hears of it by its own stream.
  unzipping.catch(() => undefined);
  const bytes = new ByteReader(unzipped as AsyncIterable<Buffer>);
  const quota = new Quota(limits, () => source.bytesRead);
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

/** Whether an error is about the compressed bytes. */
function isDamage(error: unknown): error is NodeJS.ErrnoException {
  return String((error as NodeJS.ErrnoException | undefined)?.code).startsWith('Z_');
}

/** Counts what an archive has brought so far. */
class Quota {
  private entries = 0;
  private bytes = 0;

  constructor(
    private readonly limits: UnpackLimits,
    private readonly compressed: () => number,
  ) {}

  entry({ path, size }: TarEntryHeader): void {
    if (++this.entries > this.limits.entries)
      throw new ArchiveRefused(path, `The archive has more than ${this.limits.entries} entries.`);
    if (this.bytes + size > this.limits.bytes)
      throw new ArchiveRefused(path, `The archive holds more than ${this.limits.bytes} bytes.`);
  }

  add(path: string, count: number): void {
    this.bytes += count;
    if (this.bytes > FREE_BYTES && this.bytes > this.compressed() * MOST_COMPRESSED)
      throw new ArchiveRefused(path, 'The archive unpacks to far more than what people write would.');
  }
}

async function unpackEntry(
  { path, isFolder, size }: TarEntryHeader,
  target: string,
  bytes: ByteReader,
  quota: Quota,
): Promise<void> {
  const parts = entryParts(path);
  if (isFolder) {
    await makeFolder(target, parts, path);
    return skip(bytes, size + filling(size), path);
  }
  if (parts.length === 0) throw new ArchiveRefused(path, 'The file has no name.');
  await makeFolder(target, parts.slice(0, -1), path);
  const file = await fs.open(join(target, ...parts), 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new ArchiveRefused(path, 'The archive has it twice.') : error;
  });
  try {
    for (let left = size; left > 0;) {
      const part = await bytes.some(Math.min(left, 1024 * 1024));
      if (part === null) throw new ArchiveRefused(path, 'The archive breaks off here.');
      quota.add(path, part.length);
      for (let written = 0; written < part.length;) written += (await file.write(part, written)).bytesWritten;
      left -= part.length;
    }
  } finally {
    await file.close();
  }
  await skip(bytes, filling(size), path);
}

async function makeFolder(target: string, parts: readonly string[], path: string): Promise<void> {
  try {
    await fs.mkdir(join(target, ...parts), { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    throw new ArchiveRefused(path, 'A file of the archive is in the place of its folder.');
  }
}

async function skip(bytes: ByteReader, count: number, path: string): Promise<void> {
  for (let left = count; left > 0;) {
    const part = await bytes.some(left);
    if (part === null) throw new ArchiveRefused(path, 'The archive breaks off here.');
    left -= part.length;
  }
}
