import { Readable } from 'node:stream';

/** Characters of a text that is sent in one go. */
const SMALL = 256 * 1024;

/** Characters that are made at a time, once the connection has taken those before. */
const PIECE = 64 * 1024;

/** Milliseconds after which a client that takes nothing is given up. */
const STALLED_MS = 60_000;

/**
 * The whole text of what is small, and a stream of what is not.
 * @param pieces are made as they are wanted
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
 * An answer whose text is made while it is sent, no faster than the client takes it: what is not sent yet takes no more
 * memory than the values it is made of. Between two pieces, others have their turn.
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

/** The place, or the next one where no character is cut in two. */
function wholeCharacters(text: string, place: number): number {
  if (place >= text.length) return text.length;
  const before = text.charCodeAt(place - 1);
  return before >= 0xd800 && before <= 0xdbff ? place + 1 : place;
}
