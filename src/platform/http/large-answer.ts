import { Readable } from 'node:stream';

/** Maximum number of characters sent in one go. */
const SMALL = 256 * 1024;

/** Characters generated at a time, once the connection has accepted the previous ones. */
const PIECE = 64 * 1024;

/** Milliseconds after which the connection of a client that reads nothing is closed. */
const STALLED_MS = 60_000;

/**
 * The whole text if it is small, otherwise a stream.
 * @param pieces are generated on demand
 */
export function textOrStream(pieces: Iterator<string, unknown>): string | LargeAnswer {
  let text = '';
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return text;
    text += value;
    if (text.length > SMALL) return new LargeAnswer(text, pieces);
  }
}

/**
 * An answer whose text is generated while it is sent, no faster than the client reads it: the unsent part takes no more
 * memory than the values behind it. Yields to other requests between two pieces.
 */
export class LargeAnswer extends Readable {
  private offset = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param text the first piece */
  constructor(
    private text: string,
    private readonly pieces: Iterator<string, unknown>,
    private readonly stalledMs = STALLED_MS,
  ) {
    super({ highWaterMark: PIECE });
  }

  override _read(): void {
    clearTimeout(this.timer);
    setImmediate(() => {
      if (!this.destroyed) this.makePiece();
    });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.timer);
    this.text = '';
    this.pieces.return?.();
    done(error);
  }

  private makePiece(): void {
    try {
      const piece = this.next();
      this.push(piece === '' ? null : piece);
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    const stalled = () => this.destroy(new Error('The client took too long to receive the response.'));
    this.timer = setTimeout(stalled, this.stalledMs).unref();
  }

  private next(): string {
    let piece = '';
    while (piece.length < PIECE) {
      if (this.offset === this.text.length) {
        const { done, value } = this.pieces.next();
        if (done) break;
        this.text = value;
        this.offset = 0;
      }
      const end = wholeCharacters(this.text, this.offset + PIECE - piece.length);
      piece += this.text.slice(this.offset, end);
      this.offset = end;
    }
    return piece;
  }
}

/** The position, or the next one that splits no character. */
function wholeCharacters(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const before = text.charCodeAt(place - 1);
  return before >= 0xd800 && before <= 0xdbff ? place + 1 : place;
}
