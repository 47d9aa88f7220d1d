import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { RowUnusable } from './archive-row';
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

/** New IDs by those of the archive. */
export class IdMap {
  private readonly ids = new Map<number, number>();
  private last: number;

  /** @param base the last ID that is taken */
  constructor(
    private readonly what: string,
    base: number,
  ) {
    this.last = base;
  }

  /** Gives the next new ID. */
  add(old: number): number {
    if (this.ids.has(old)) throw new RowUnusable(`There is another ${this.what} with this ID.`);
    this.ids.set(old, ++this.last);
    return this.last;
  }

  /** Makes an ID of the archive mean what is here already. */
  equate(old: number, existing: number): void {
    if (this.ids.has(old)) throw new RowUnusable(`There is another ${this.what} with this ID.`);
    this.ids.set(old, existing);
  }

  find(old: number | null): number | null {
    return old === null ? null : (this.ids.get(old) ?? null);
  }

  /** @throws RowUnusable for what the archive does not have */
  get(old: number): number {
    const id = this.ids.get(old);
    if (id === undefined) throw new RowUnusable(`It refers to a ${this.what} that is not there (${old}).`);
    return id;
  }

  get size(): number {
    return this.ids.size;
  }
}

/** Numbers in a row that grows. */
class Numbers {
  length = 0;
  private values = new Float64Array(1024);

  push(value: number): void {
    if (this.length === this.values.length) {
      const longer = new Float64Array(this.length * 2);
      longer.set(this.values);
      this.values = longer;
    }
    this.values[this.length++] = value;
  }

  at(index: number): number {
    return this.values[index] as number;
  }

  /** How many of them, which ascend, are not greater. */
  countUpTo(value: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** New IDs of messages: without gaps, in the order of those of the archive, sixteen bytes each. */
export class MessageIds {
  private readonly old = new Numbers();
  private readonly times = new Numbers();

  /** @param base the last ID that is taken */
  constructor(readonly base: number) {}

  get count(): number {
    return this.old.length;
  }

  /** The last of all. */
  get last(): number {
    return this.base + this.old.length;
  }

  /** @returns false for an ID that is not greater than the one before */
  add(old: number, sentAt: number): boolean {
    const { length } = this.old;
    if (length > 0 && this.old.at(length - 1) >= old) return false;
    this.old.push(old);
    this.times.push(Math.max(sentAt, length > 0 ? this.times.at(length - 1) : 0));
    return true;
  }

  find(old: number): number | null {
    const count = this.old.countUpTo(old);
    return count > 0 && this.old.at(count - 1) === old ? this.base + count : null;
  }

  /** The newest that is not newer; that before the first of all where there is none. */
  upTo(old: number): number {
    return this.base + this.old.countUpTo(old);
  }

  /** The newest that was sent by then. */
  upToTime(seconds: number): number {
    return this.base + this.times.countUpTo(seconds);
  }
}
