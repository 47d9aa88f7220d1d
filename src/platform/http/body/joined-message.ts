import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** Pieces of a body that are passed on as they are; ordinary bodies have no more. */
const LOOSE_PIECES = 64;

/** Later pieces smaller than this are joined. */
const SMALL_BYTES = 1024;

/** Bytes that are joined at a time. */
const JOINED_BYTES = 16 * 1024;

/** A body may have this many pieces, and one more for every {@link BYTES_A_PIECE} bytes. */
const FREE_PIECES = 1_000;
const BYTES_A_PIECE = 64;

/**
 * A request that joins small pieces of its body. Node makes a buffer of every chunk, however small, and keeps all of
 * them until they are read: chunks of one byte take a hundred times the memory of what they hold.
 */
export class JoinedMessage extends IncomingMessage {
  private pieces = 0;
  private received = 0;
  private joined: Buffer | null = null;
  private filled = 0;
  private hasTooMany = false;
  private isIgnored = false;

  /** Whether the body comes in so many pieces that taking it apart is all it can be for: the rest of it is left out. */
  get isShredded(): boolean {
    return this.hasTooMany;
  }

  /** Throws away what is still to come. */
  ignoreRest(): void {
    this.isIgnored = true;
    super._read(0);
  }

  /** Goes on receiving, unless the body is shredded: its reader refuses it with what has come. */
  override _read(size: number): void {
    if (this.isIgnored || !this.hasTooMany) super._read(size);
  }

  override push(chunk: Buffer | null): boolean {
    if (chunk === null) {
      this.passOn();
      return super.push(null);
    }
    if (this.isIgnored) return true;
    if (this.hasTooMany) return false;
    this.pieces++;
    this.received += chunk.length;
    if (this.pieces <= LOOSE_PIECES || chunk.length >= SMALL_BYTES) {
      this.passOn();
      return super.push(chunk);
    }
    this.join(chunk);
    this.hasTooMany = this.pieces > FREE_PIECES + this.received / BYTES_A_PIECE;
    return !this.hasTooMany && this.readableLength + this.filled < this.readableHighWaterMark;
  }

  private join(chunk: Buffer): void {
    if (this.filled + chunk.length > JOINED_BYTES) this.passOn();
    if (this.joined === null) {
      this.joined = Buffer.allocUnsafe(JOINED_BYTES);
      // By then, everything that was received at once has been taken apart.
      setImmediate(() => this.passOn());
    }
    chunk.copy(this.joined, this.filled);
    this.filled += chunk.length;
  }

  private passOn(): void {
    const { joined, filled } = this;
    if (joined === null) return;
    this.joined = null;
    this.filled = 0;
    // A slow sender may have sent a single byte, which must not keep the whole buffer.
    super.push(
      filled > JOINED_BYTES / 2 ? joined.subarray(0, filled) : Buffer.from(joined.subarray(0, filled)),
    );
  }
}

/** Whether a body is cut into more pieces than the server takes. */
export function isShredded(body: Readable): boolean {
  return body instanceof JoinedMessage && body.isShredded;
}
