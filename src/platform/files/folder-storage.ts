import * as fs from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import {
  DRAFT_SUFFIX,
  draftFile,
  isMissing,
  type FileStorage,
  type FileRange,
  type Filling,
  type StoredFile,
} from './file-storage';

/** Files in a folder, readable by the server's own user only. */
export class FolderStorage implements FileStorage {
  readonly isShared = false;

  constructor(private readonly root: string) {}

  async write<T>(path: string, fill: Filling<T>): Promise<T> {
    const target = join(this.root, path);
    const folder = dirname(target);
    const firstCreated = await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    return draftFile(target, fill, async (draft, filled) => {
      await fs.rename(draft, target);
      await flushFolders(folder, firstCreated === undefined ? folder : dirname(firstCreated));
      return filled;
    });
  }

  async open(path: string, range?: FileRange): Promise<StoredFile | null> {
    let handle: fs.FileHandle;
    try {
      handle = await fs.open(join(this.root, path), 'r');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
    const stats = await handle.stat();
    if (!stats.isFile()) {
      await handle.close();
      return null;
    }
    return { size: stats.size, content: handle.createReadStream({ ...range }) };
  }

  async sizeOf(path: string): Promise<number | null> {
    try {
      const stats = await fs.stat(join(this.root, path));
      return stats.isFile() ? stats.size : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async remove(path: string): Promise<void> {
    await fs.rm(join(this.root, path), { force: true });
  }

  async paths(): Promise<string[]> {
    const entries = await fs
      .readdir(this.root, { recursive: true, withFileTypes: true })
      .catch(noneIfMissing);
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith(DRAFT_SUFFIX))
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort();
  }

  lend<T>(path: string, use: (file: string) => Promise<T>): Promise<T> {
    return use(join(this.root, path));
  }
}

/** Flushes the entries of a folder to the disk, and those of its parents up to another folder. */
async function flushFolders(from: string, upTo: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  for (let folder = from; ; folder = dirname(folder)) {
    const handle = await fs.open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (folder === upTo) return;
  }
}

function noneIfMissing(error: unknown): never[] {
  if (isMissing(error)) return [];
  throw error;
}
