import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveRefused, entryParts } from './unpacking';

/** Bytes read at a time. */
const CHUNK_BYTES = 2 ** 18;

/** A file in an unpacked archive. */
export interface ArchivedFile {
  /** Path within the archive. */
  readonly path: string;
  readonly size: number;

  content(): AsyncIterable<Buffer>;
  /** The whole content. @throws ArchiveRefused if it has more bytes than this */
  bytes(most: number): Promise<Buffer>;
}

/** An unpacked archive. Only regular files below it are ever opened, and no link is followed. */
export class ArchiveFolder {
  constructor(private readonly root: string) {}

  /** The file, or null if there is none. @throws ArchiveRefused for links, devices, and paths that lead outside */
  async file(path: string): Promise<ArchivedFile | null> {
    const parts = entryParts(path);
    for (let depth = 1; depth < parts.length; depth++) {
      const stats = await statOf(join(this.root, ...parts.slice(0, depth)));
      if (stats?.isSymbolicLink()) throw new ArchiveRefused(path, 'A folder of its path is a symbolic link.');
    }
    const place = join(this.root, ...parts);
    const stats = await statOf(place);
    if (stats === null) return null;
    if (!stats.isFile()) throw new ArchiveRefused(path, 'This is not a regular file.');
    return {
      path,
      size: stats.size,
      content: () => createReadStream(place, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>,
      bytes: (most) => {
        if (stats.size > most) throw new ArchiveRefused(path, `This has more than ${most} bytes.`);
        return fs.readFile(place);
      },
    };
  }
}

async function statOf(place: string) {
  try {
    return await fs.lstat(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
