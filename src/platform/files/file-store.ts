import { randomBytes } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join, normalize, relative, sep } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config';

/** A stored file, opened for reading. */
export interface StoredFile {
  /** Bytes. */
  readonly size: number;
  /** Keeps the file open; read it to its end or destroy it. */
  readonly content: Readable;
}

/**
 * Files of users under the data folder, readable by the server's own user only. A file appears under its path once it
 * is complete, or not at all, and a stored file survives a power cut.
 */
@Injectable()
export class FileStore {
  private readonly root: string;
  /** How many callers defer deletions now, and the paths to delete once none of them does. */
  private deferrals = 0;
  private readonly deletedMeanwhile = new Set<string>();

  constructor(config: Config) {
    this.root = join(config.dataDir, 'files');
  }

  /**
   * Stores what `fill` writes into the sink. If that fails nothing is left, and a file that already had the path stays
   * as it was.
   * @param path relative, with `/` between its parts, all of them named by the server
   * @returns what `fill` returns
   */
  async write<T>(path: string, fill: (sink: Writable) => Promise<T>): Promise<T> {
    const target = this.resolve(path);
    const folder = dirname(target);
    const firstCreated = await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = `${target}.${randomBytes(6).toString('hex')}.part`;
    const sink = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true });
    sink.on('error', () => undefined); // the writer hears of it; there may be no other listener any more
    try {
      const result = await fill(sink);
      await fs.rename(draft, target);
      this.deletedMeanwhile.delete(path);
      await flushFolders(folder, firstCreated === undefined ? folder : dirname(firstCreated));
      return result;
    } catch (error) {
      await close(sink);
      await fs.rm(draft, { force: true });
      throw error;
    }
  }

  /** Stores bytes from memory. */
  async save(path: string, bytes: Buffer): Promise<void> {
    await this.write(path, (sink) => pipeline([bytes], sink));
  }

  /** @returns null if there is no such file */
  async open(path: string, range?: { start: number; end: number }): Promise<StoredFile | null> {
    let handle: fs.FileHandle;
    try {
      handle = await fs.open(this.resolve(path), 'r');
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

  /** Its size in bytes; null if there is no such file. */
  async sizeOf(path: string): Promise<number | null> {
    try {
      const stats = await fs.stat(this.resolve(path));
      return stats.isFile() ? stats.size : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** Where a file lies on the disk, for a library that reads it by itself. */
  locate(path: string): string {
    return this.resolve(path);
  }

  /** Removes a file; one that does not exist is no error. */
  async delete(path: string): Promise<void> {
    if (this.deferrals > 0) this.deletedMeanwhile.add(path);
    else await this.remove(path);
  }

  /**
   * Defers deletions until the returned function is called, so that a reader that walks over all files finds every file
   * that existed at some moment.
   */
  deferDeletions(): () => Promise<void> {
    this.deferrals++;
    return async () => {
      this.deferrals--;
      if (this.deferrals > 0) return;
      for (const path of this.deletedMeanwhile) await this.remove(path);
      this.deletedMeanwhile.clear();
    };
  }

  /** The paths of all completely stored files, with `/` between their parts. */
  async paths(): Promise<string[]> {
    const entries = await fs
      .readdir(this.root, { recursive: true, withFileTypes: true })
      .catch(noneIfMissing);
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort();
  }

  private async remove(path: string): Promise<void> {
    await fs.rm(this.resolve(path), { force: true });
  }

  /** A path that leads out of the store is a bug in the caller. */
  private resolve(path: string): string {
    const resolved = normalize(join(this.root, path));
    if (!resolved.startsWith(this.root + sep)) throw new Error(`"${path}" is outside the file store.`);
    return resolved;
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

/** Waits until nothing can make the file appear any more: the stream may not even have opened it yet. */
function close(sink: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (sink.closed) resolve();
    sink.once('close', resolve).destroy();
  });
}

function noneIfMissing(error: unknown): never[] {
  if (isMissing(error)) return [];
  throw error;
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
