import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Bytes of a block: headers and contents occupy whole blocks. */
const BLOCK = 512;

/** Maximum length of a name in a plain header, in bytes. */
const NAME_BYTES = 100;

/** Largest size that fits into eleven octal digits; larger ones need an extended header. */
const MAX_PLAIN_SIZE = 8 * 2 ** 30 - 1;

/** A file of an archive. */
interface TarEntry {
  /** With `/` between its parts. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** UNIX seconds. */
  readonly modifiedAt: number;
}

/** The header of a regular file (ustar), preceded by an extended one (pax) if the name or size requires it. */
export function tarHeader(entry: TarEntry): Buffer {
  const { path, size, modifiedAt } = entry;
  const records: string[] = [];
  const isPlainName = /^[\x20-\x7e]*$/.test(path) && path.length <= NAME_BYTES;
  if (!isPlainName) records.push(paxRecord('path', path));
  if (size > MAX_PLAIN_SIZE) records.push(paxRecord('size', String(size)));
  const plain = header(path, Math.min(size, MAX_PLAIN_SIZE), modifiedAt, '0');
  if (records.length === 0) return plain;
  const extension = Buffer.from(records.join(''), 'utf8');
  return Buffer.concat([
    header('pax', extension.length, modifiedAt, 'x'),
    extension,
    padding(extension.length),
    plain,
  ]);
}

/** Bytes that pad contents of this length to whole blocks. */
export function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** End-of-archive marker. */
const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK);

function header(path: string, size: number, modifiedAt: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(BLOCK);
  Buffer.from(path, 'utf8').copy(block, 0, 0, NAME_BYTES);
  block.write('0000600\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${octal(size, 11)}\0`, 124);
  block.write(`${octal(Math.max(0, Math.floor(modifiedAt)), 11)}\0`, 136);
  block.write('        ', 148);
  block.write(type, 156);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

/** `length key=value` and a line feed; the length counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + 1;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

/** Writes a gzip-compressed tar archive, one file after the other, no faster than its receiver reads. */
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
   * @throws Error if the content does not have the stated size
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

  /** Ends the archive. Resolves once its receiver has everything. */
  async end(): Promise<void> {
    await this.write(END_OF_ARCHIVE);
    this.gzip.end();
    await this.written;
  }

  /** Abandons the archive. */
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
