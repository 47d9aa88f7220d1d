import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ArchiveRefused } from './archive-refused';
import { ByteReader } from './byte-reader';
import { filling, nextEntry, type TarEntryHeader } from './tar-entries';
import { makeEntryFolder, writeEntryFile } from './unpack-entry';
import { type UnpackLimits, type UnpackProgress, UnpackQuota } from './unpack-quota';

/**
 * Unpacks a compressed tar archive into a folder that exists and is empty. Files are readable for the server alone. Nothing
 * is ever written elsewhere, whatever the archive says; after a refusal the caller removes the folder.
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
  // The reader below hears of it by its own stream.
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

/** Whether an error is about the compressed bytes. */
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
