/** Reads a stream of chunks by number of bytes. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);
  /** Bytes read so far. */
  read = 0;

  constructor(source: AsyncIterable<Buffer>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** The next bytes, at most so many; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next();
      if (next.done) return null;
      this.rest = next.value;
    }
    const part = this.rest.subarray(0, most);
    this.rest = this.rest.subarray(part.length);
    this.read += part.length;
    return part;
  }

  /** Exactly so many bytes; fewer where the stream ends before. For small numbers alone. */
  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0;) {
      const part = await this.some(left);
      if (part === null) break;
      parts.push(part);
      left -= part.length;
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }
}
