import { randomBytes } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** A stored file, opened for reading. */
export interface StoredFile {
  /** Bytes of the whole file, even if only a range is read. */
  readonly size: number;
  /** Keeps the file open; read it to its end or destroy it. */
  readonly content: Readable;
}

/** The first and the last byte of a range of a file. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

/** Writes the content of a file to the sink, and ends it. */
export type Filling<T> = (sink: Writable) => Promise<T>;

/** Storage of files. Paths are relative, with `/` between their parts, and have been checked. */
export interface FileStorage {
  /** Whether other servers may use the storage too, such as the one that this server was copied from. */
  readonly isShared: boolean;
  /**
   * Stores what `fill` writes. The file appears once it is complete and would survive a power cut; if anything fails,
   * the previous file remains.
   * @returns the result of `fill`
   */
  write<T>(path: string, fill: Filling<T>): Promise<T>;
  /** @returns null if the file does not exist */
  open(path: string, range?: FileRange): Promise<StoredFile | null>;
  /** Its size in bytes; null if the file does not exist. */
  sizeOf(path: string): Promise<number | null>;
  /** Removes a file if it exists. */
  remove(path: string): Promise<void>;
  /** The paths of all files, sorted. */
  paths(): Promise<string[]>;
  /** Provides the file on the local disk, for a library that reads it itself; a missing file gets a path too. */
  lend<T>(path: string, use: (file: string) => Promise<T>): Promise<T>;
}

/** Suffix of the names of incomplete files. */
export const DRAFT_SUFFIX = '.part';

/**
 * Creates a file beside `target`, flushes it to the disk and passes it to `use`, which may move it to its place.
 * Leftovers are removed, also after a failure.
 * @param use receives the path of the complete file, and the result of `fill`
 * @returns the result of `use`
 */
export async function draftFile<T, R>(
  target: string,
  fill: Filling<T>,
  use: (draft: string, filled: T) => Promise<R>,
): Promise<R> {
  const draft = `${target}.${randomBytes(6).toString('hex')}${DRAFT_SUFFIX}`;
  const sink = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true });
  sink.on('error', () => undefined); // the writer gets it; there may be no other listener any more
  try {
    return await use(draft, await fill(sink));
  } finally {
    await close(sink);
    await fs.rm(draft, { force: true });
  }
}

/** Waits until the file can no longer appear: the stream may not even have opened it yet. */
function close(sink: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (sink.closed) resolve();
    sink.once('close', resolve).destroy();
  });
}

/** Whether a file system error means that the file does not exist. */
function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

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
