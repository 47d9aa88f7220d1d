import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveRefused } from './archive-refused';
import { entryParts } from './entry-path';

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
