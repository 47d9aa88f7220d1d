import { join, posix } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { bucketAddress } from '../config/server-addresses';
import { Config } from '../config/config';
import { FileStorageUnreachable } from '../errors/request.errors';
import { BucketStorage } from './bucket-storage';
import { type FileRange, type FileStorage, FolderStorage, type StoredFile } from './file-storage';

export type { StoredFile } from './file-storage';

/** Below the data folder: the files, and drafts of those for a bucket. */
const FOLDER = 'files';
const DRAFTS = 'drafts';

/** Defers deletions. */
export interface Postponement {
  /** Whether deletions must be deferred, because other servers may use the storage. */
  isDue(): boolean;
  /** Records a file to delete later. */
  note(path: string): Promise<void>;
}

/** The configured storage. */
export function storageOf({
  dataDir,
  filesUrl,
}: Pick<Config, 'dataDir' | 'filesUrl'>): FolderStorage | BucketStorage {
  const bucket = filesUrl === null ? undefined : bucketAddress(filesUrl);
  return bucket ? new BucketStorage(bucket, join(dataDir, DRAFTS)) : new FolderStorage(join(dataDir, FOLDER));
}

/** Files of users, in a folder or a bucket. With a bucket, every method @throws FileStorageUnreachable */
@Injectable()
export class FileStore {
  private readonly storage: FileStorage;
  /** Number of callers that currently defer deletions, and the paths to delete after the last one ends. */
  private deferrals = 0;
  private readonly deletedMeanwhile = new Set<string>();
  private postponement: Postponement | null = null;

  constructor(config: Config) {
    this.storage = storageOf(config);
  }

  /**
   * Stores what `fill` writes to the sink. If that fails nothing is left, and an existing file stays as it was.
   * @param path relative, with `/` between its parts, all of them named by the server
   * @returns the result of `fill`
   */
  async write<T>(path: string, fill: (sink: Writable) => Promise<T>): Promise<T> {
    const result = await this.storage.write(checked(path), fill);
    this.deletedMeanwhile.delete(path);
    return result;
  }

  /** Stores bytes from memory. */
  async save(path: string, bytes: Buffer): Promise<void> {
    await this.write(path, (sink) => pipeline([bytes], sink));
  }

  /** @returns null if the file does not exist */
  async open(path: string, range?: FileRange): Promise<StoredFile | null> {
    return this.storage.open(checked(path), range);
  }

  /** Its size in bytes; null if the file does not exist. */
  async sizeOf(path: string): Promise<number | null> {
    return this.storage.sizeOf(checked(path));
  }

  /** Provides a file on the local disk, for a library that reads it itself. A missing file is missing there too. */
  async lend<T>(path: string, use: (file: string) => Promise<T>): Promise<T> {
    return this.storage.lend(checked(path), use);
  }

  /** Removes a file if it exists, possibly later. */
  async delete(path: string): Promise<void> {
    if (this.deferrals > 0) this.deletedMeanwhile.add(path);
    else await this.remove(path);
  }

  /** Removes it immediately. @throws FileStorageUnreachable */
  async deleteNow(path: string): Promise<void> {
    await this.storage.remove(checked(path));
  }

  /** Sets how to postpone deletions that cannot or must not happen now. */
  postpone(postponement: Postponement): void {
    this.postponement = postponement;
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
  paths(): Promise<string[]> {
    return this.storage.paths();
  }

  private async remove(path: string): Promise<void> {
    if (this.storage.isShared && this.postponement?.isDue()) return this.postponement.note(path);
    try {
      await this.deleteNow(path);
    } catch (error) {
      if (!this.postponement || !(error instanceof FileStorageUnreachable)) throw error;
      await this.postponement.note(path);
    }
  }
}

/** A path that leads out of the store is a bug in the caller. */
function checked(path: string): string {
  const isInside =
    path !== '' && !path.startsWith('/') && !path.includes('\\') && posix.normalize(path) === path;
  if (!isInside || path.split('/')[0] === '..') throw new Error(`"${path}" is outside the file store.`);
  return path;
}
