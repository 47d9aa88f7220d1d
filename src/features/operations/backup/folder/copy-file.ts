import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The length of a file, and its checksum. */
export interface FileSum {
  readonly size: number;
  /** In hex. */
  readonly sha256: string;
}

/** Writes the rest of a stream to a new path, readable only by this user, and flushes it to the disk. */
export async function copyContent(from: Readable, to: string, signal?: AbortSignal): Promise<FileSum> {
  await fs.mkdir(dirname(to), { recursive: true, mode: 0o700 });
  return passContent(from, createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }), signal);
}

/** Writes the rest of a stream to another one, and ends it. */
export async function passContent(from: Readable, to: Writable, signal?: AbortSignal): Promise<FileSum> {
  const sum = new Summing();
  await pipeline(from, sum, to, { signal });
  return sum.result();
}

/** Reads a file to its end. */
export async function sumOf(path: string): Promise<FileSum> {
  const sum = new Summing();
  await pipeline(createReadStream(path), sum.resume());
  return sum.result();
}

/** Flushes a file or folder to the disk. */
export async function flush(path: string): Promise<void> {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = await fs.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

class Summing extends Transform {
  private readonly hash = createHash('sha256');
  private size = 0;

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.hash.update(chunk);
    this.size += chunk.length;
    done(null, chunk);
  }

  result(): FileSum {
    return { size: this.size, sha256: this.hash.digest('hex') };
  }
}
