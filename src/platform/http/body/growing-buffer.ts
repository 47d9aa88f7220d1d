const NOTHING = Buffer.alloc(0);

/** Bytes that arrive in pieces, in one buffer that grows: an array of small chunks takes many times their size. */
export class GrowingBuffer {
  private buffer: Buffer = NOTHING;
  private filled = 0;

  /** @param maxBytes as many as are ever appended */
  constructor(private readonly maxBytes: number) {}

  /** Number of bytes so far. */
  get length(): number {
    return this.filled;
  }

  append(chunk: Buffer): void {
    const length = this.filled + chunk.length;
    if (this.filled === 0) {
      this.buffer = chunk; // most contents come in one piece, which need not be copied
    } else {
      if (length > this.buffer.length) this.grow(length);
      chunk.copy(this.buffer, this.filled);
    }
    this.filled = length;
  }

  /** All bytes so far; valid until the next ones are appended. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.filled);
  }

  private grow(atLeast: number): void {
    const size = Math.max(atLeast, Math.min(2 * this.buffer.length, this.maxBytes));
    const larger = Buffer.allocUnsafe(size);
    this.buffer.copy(larger, 0, 0, this.filled);
    this.buffer = larger;
  }
}
