import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { END_OF_ARCHIVE, padding, tarHeader, type TarEntry } from './tar-header';

/** Writes a gzip-compressed tar archive, one file after the other, as fast as its receiver takes it. */
export class TarGzWriter {
  private readonly gzip = createGzip();
  private readonly written: Promise<void>;

  /** @param sink is ended with the archive, or destroyed with it */
  constructor(sink: Writable) {
    this.written = pipeline(this.gzip, sink);
    // The next write reports it.
    this.written.catch(() => undefined);
  }

  /**
   * Adds a file.
   * @throws Error if its content has not the size that was stated
   */
  async add(entry: TarEntry, content: AsyncIterable<Buffer>): Promise<void> {
    await this.write(tarHeader(entry));
    let size = 0;
    for await (const chunk of content) {
      size += chunk.length;
      if (size > entry.size) break;
      await this.write(chunk);
    }
    if (size !== entry.size) throw new Error(`${entry.path} is not ${entry.size} bytes long.`);
    await this.write(padding(size));
  }

  /** Ends the archive. Resolves once its receiver has all of it. */
  async end(): Promise<void> {
    await this.write(END_OF_ARCHIVE);
    this.gzip.end();
    await this.written;
  }

  /** Gives the archive up. */
  async destroy(): Promise<void> {
    this.gzip.destroy();
    await this.written.catch(() => undefined);
  }

  private async write(chunk: Buffer): Promise<void> {
    if (this.gzip.destroyed) return this.written;
    if (chunk.length === 0 || this.gzip.write(chunk)) return;
    await Promise.race([new Promise((resolve) => this.gzip.once('drain', resolve)), this.written]);
  }
}
