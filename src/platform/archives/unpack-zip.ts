import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import {
  ArchiveRefused,
  makeEntryFolder,
  type UnpackLimits,
  type UnpackProgress,
  UnpackQuota,
  writeEntryFile,
} from './unpacking';
import { contentStart, type ZipDirectory, zipDirectory, type ZipEntry, zipEntries } from './zip-entries';

/**
 * Unpacks a ZIP archive into an empty folder, as {@link unpackTar} does. Trusts counted bytes; sizes in headers must match
 * them.
 * @throws ArchiveRefused naming the entry
 */
export async function unpackZip(
  archive: string,
  target: string,
  limits: UnpackLimits,
  { signal, report }: UnpackProgress,
): Promise<void> {
  const file = await fs.open(archive, 'r');
  try {
    const directory = await zipDirectory(file, archive);
    if (directory.entries > limits.entries)
      throw new ArchiveRefused(archive, `The archive has more than ${limits.entries} entries.`);
    await refuseOverlaps(archive, directory, file, signal);
    let compressed = 0;
    const quota = new UnpackQuota(limits, () => compressed);
    for await (const entry of zipEntries(archive, directory)) {
      signal.throwIfAborted();
      quota.entry(entry);
      compressed += entry.compressedSize;
      if (entry.isFolder) await makeEntryFolder(target, entry.path);
      else {
        const start = await contentStart(file, entry, directory);
        await writeEntryFile(target, entry.path, contentOf(archive, entry, start, { quota, signal }));
      }
      report({ done: compressed, total: directory.offset });
    }
  } finally {
    await file.close();
  }
}

/** Refuses overlapping entries, with which a small archive unpacks to a large one. Takes 16 bytes per entry. */
async function refuseOverlaps(
  archive: string,
  directory: ZipDirectory,
  file: fs.FileHandle,
  signal: AbortSignal,
): Promise<void> {
  const starts = new Float64Array(directory.entries);
  const ends = new Float64Array(directory.entries);
  let count = 0;
  for await (const entry of zipEntries(archive, directory)) {
    signal.throwIfAborted();
    starts[count] = entry.offset;
    ends[count++] = (await contentStart(file, entry, directory)) + entry.compressedSize;
  }
  starts.sort();
  ends.sort();
  // Without overlaps, each entry ends before the next begins, so both lists have the same order.
  const overlapping = starts.findIndex((start, at) => at > 0 && start < (ends[at - 1] as number));
  if (overlapping === -1) return;
  for await (const { path, offset } of zipEntries(archive, directory))
    if (offset === starts[overlapping]) throw new ArchiveRefused(path, 'It shares bytes with another entry.');
}

async function* contentOf(
  archive: string,
  { path, isCompressed, compressedSize, size, checksum }: ZipEntry,
  start: number,
  { quota, signal }: { readonly quota: UnpackQuota; readonly signal: AbortSignal },
): AsyncGenerator<Buffer> {
  let counted = 0;
  let sum = 0;
  const inflating = isCompressed ? createInflateRaw() : new PassThrough();
  if (compressedSize > 0) {
    const stored = createReadStream(archive, { start, end: start + compressedSize - 1 });
    const done = new PassThrough();
    const piped = pipeline(stored, inflating, done, { signal });
    // The loop below gets the error from its own stream.
    piped.catch(() => undefined);
    try {
      for await (const part of done as AsyncIterable<Buffer>) {
        counted += part.length;
        if (counted > size) throw new ArchiveRefused(path, 'It is larger than the archive says.');
        quota.add(path, part.length);
        sum = crc32(part, sum);
        yield part;
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!String(code).startsWith('Z_')) throw error;
      throw new ArchiveRefused(path, `The archive is damaged (${code}).`);
    } finally {
      done.destroy();
      await piped.catch(() => undefined);
    }
  }
  const isUsedUp = !('bytesWritten' in inflating) || inflating.bytesWritten === compressedSize;
  if (counted !== size || sum !== checksum || !isUsedUp)
    throw new ArchiveRefused(path, 'Its content is not what the archive says.');
}
