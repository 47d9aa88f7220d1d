import { randomBytes } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';

/** A stored file, opened for reading. */
export interface StoredFile {
  /** Bytes of the whole file, also where only a range of it is read. */
  readonly size: number;
  /** Keeps the file open; read it to its end or destroy it. */
  readonly content: Readable;
}

/** The first and the last byte of a part of a file. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

/** Writes the content of a file into the sink, and ends it. */
export type Filling<T> = (sink: Writable) => Promise<T>;

/** Where files are kept. Paths are relative, with `/` between their parts, and have been checked. */
export interface FileStorage {
  /** Whether other servers may keep their files there too, such as the one that this is a copy of. */
  readonly isShared: boolean;
  /**
   * Stores what `fill` writes. The file appears once it is complete and would survive a power cut; if anything fails,
   * what was there stays.
   * @returns what `fill` returns
   */
  write<T>(path: string, fill: Filling<T>): Promise<T>;
  /** @returns null if there is no such file */
  open(path: string, range?: FileRange): Promise<StoredFile | null>;
  /** Its size in bytes; null if there is no such file. */
  sizeOf(path: string): Promise<number | null>;
  /** Removes a file; one that does not exist is no error. */
  remove(path: string): Promise<void>;
  /** The paths of all files, sorted. */
  paths(): Promise<string[]>;
  /** Lends the file as one on the disk, for a library that reads it by itself; a missing one has a name there too. */
  lend<T>(path: string, use: (file: string) => Promise<T>): Promise<T>;
}

/** What the name of a file ends with that is not complete yet. */
export const DRAFT_SUFFIX = '.part';

/**
 * Makes a file beside `target`, flushes it to the disk and lends it to `use`, which may also move it to its place.
 * What is left then, or when anything fails, is removed.
 * @param use gets the path of the complete file, and what `fill` returned
 * @returns what `use` returns
 */
export async function draftFile<T, R>(
  target: string,
  fill: Filling<T>,
  use: (draft: string, filled: T) => Promise<R>,
): Promise<R> {
  const draft = `${target}.${randomBytes(6).toString('hex')}${DRAFT_SUFFIX}`;
  const sink = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true });
  sink.on('error', () => undefined); // the writer hears of it; there may be no other listener any more
  try {
    return await use(draft, await fill(sink));
  } finally {
    await close(sink);
    await fs.rm(draft, { force: true });
  }
}

/** Waits until nothing can make the file appear any more: the stream may not even have opened it yet. */
function close(sink: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (sink.closed) resolve();
    sink.once('close', resolve).destroy();
  });
}

/** Whether an error of the file system says that there is no such file. */
export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
