import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { JsonRow } from '../../../../platform/archives/json-rows';

/** What became of something. */
export type Fate = 'added' | 'changed' | 'replaced' | 'left out';

/** Reasons that a summary tells apart. */
const MOST_REASONS = 200;

/** One line of the summary. */
export interface LedgerSum {
  readonly fate: Fate;
  readonly what: string;
  readonly reason: string;
  readonly count: number;
}

/** Names everything that an import did not take over as it was, a line of JSON each. */
export class Ledger {
  private readonly sink: WriteStream;
  private readonly sums = new Map<string, { fate: Fate; what: string; reason: string; count: number }>();

  /** @param path continued if it is there */
  constructor(
    readonly path: string,
    isContinued: boolean,
  ) {
    this.sink = createWriteStream(path, { flags: isContinued ? 'a' : 'w', mode: 0o600 });
  }

  /** @param id as the archive has it */
  note(fate: Fate, what: string, id: number | string | null, reason: string): void {
    this.sink.write(`${JSON.stringify({ fate, what, id, reason })}\n`);
    const general = reason.replace(/\(.*\)|".*"/g, '…');
    const key = `${fate} ${what} ${general}`;
    const sum = this.sums.get(key);
    if (sum) sum.count++;
    else if (this.sums.size < MOST_REASONS) this.sums.set(key, { fate, what, reason: general, count: 1 });
  }

  /** Copies the notes of a conversion. */
  async take(notes: AsyncIterable<{ readonly row: JsonRow | null }>): Promise<void> {
    for await (const { row } of notes) {
      const { fate, what, id, reason } = (row ?? {}) as Record<string, string | null>;
      if (fate && what && reason) this.note(fate as Fate, what, id ?? null, reason);
    }
    // A resumed import does not take the notes again.
    await new Promise<void>((written) => this.sink.write('', () => written()));
  }

  summary(): LedgerSum[] {
    return [...this.sums.values()];
  }

  async close(): Promise<void> {
    this.sink.end();
    await finished(this.sink);
  }
}
