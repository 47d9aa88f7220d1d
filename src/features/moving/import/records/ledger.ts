import { createWriteStream, type WriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { RowUnusable } from './archive-row';
import type { JsonRow } from '../../../../platform/archives/json-rows';

/** Outcome of importing an object. */
export type ImportOutcome = 'added' | 'changed' | 'replaced' | 'left out';

/** A line of a ledger. */
export interface LedgerLine {
  readonly fate: ImportOutcome;
  /** Table of the archive. */
  readonly what: string;
  /** ID in the archive. */
  readonly id: number | string | null;
  readonly reason: string;
}

/** Lists everything that an import did not take over unchanged, as one line of JSON each. */
export class Ledger {
  private readonly sink: WriteStream;
  /** Length including notes that are not in the file yet. */
  bytes: number;

  private constructor(
    readonly path: string,
    /** Whether to skip notes, because the archive is only read again and the file already contains them. */
    private isMuted: boolean,
    kept: number,
  ) {
    this.bytes = kept;
    this.sink = createWriteStream(path, { flags: isMuted ? 'a' : 'w', mode: 0o600 });
  }

  /**
   * @param resumed state of the resumed import; notes after its last stored step are removed, as it writes them again
   */
  static async open(path: string, resumed: { readonly ledgerBytes?: number } | null): Promise<Ledger> {
    if (resumed === null) return new Ledger(path, false, 0);
    const size = (await fs.stat(path).catch(() => null))?.size ?? 0;
    const kept = Math.min(size, resumed.ledgerBytes ?? size);
    if (kept < size) await fs.truncate(path, kept);
    return new Ledger(path, true, kept);
  }

  /** Ends the skipping: from here on, every note is new. */
  resume(): void {
    this.isMuted = false;
  }

  /** @param id ID in the archive */
  note(fate: ImportOutcome, what: string, id: number | string | null, reason: string): void {
    if (this.isMuted) return;
    const line = `${JSON.stringify({ fate, what, id, reason } satisfies LedgerLine)}\n`;
    this.bytes += Buffer.byteLength(line);
    this.sink.write(line);
  }

  /** Copies the notes of a conversion. */
  async take(notes: AsyncIterable<{ readonly row: JsonRow | null }>): Promise<void> {
    for await (const { row } of notes) {
      const { fate, what, id, reason } = (row ?? {}) as Record<string, string | null>;
      if (fate && what && reason) this.note(fate as ImportOutcome, what, id ?? null, reason);
    }
    // A resumed import does not copy the notes again.
    await this.flush();
  }

  /** Waits until everything is in the file. @returns the file's length */
  async flush(): Promise<number> {
    await new Promise<void>((written) => this.sink.write('', () => written()));
    return this.bytes;
  }

  async close(): Promise<void> {
    this.sink.end();
    await finished(this.sink);
  }
}

/** Maps IDs of the archive to new IDs. */
export class IdMap {
  private readonly ids = new Map<number, number>();
  private last: number;

  /** @param base the highest existing ID */
  constructor(
    private readonly what: string,
    base: number,
  ) {
    this.last = base;
  }

  /** Assigns the next new ID. */
  add(old: number): number {
    if (this.ids.has(old)) throw new RowUnusable(`There is another ${this.what} with this ID.`);
    this.ids.set(old, ++this.last);
    return this.last;
  }

  /** Maps an ID of the archive to an existing row. */
  equate(old: number, existing: number): void {
    if (this.ids.has(old)) throw new RowUnusable(`There is another ${this.what} with this ID.`);
    this.ids.set(old, existing);
  }

  find(old: number | null): number | null {
    return old === null ? null : (this.ids.get(old) ?? null);
  }

  /** @throws RowUnusable if the archive lacks the ID */
  get(old: number): number {
    const id = this.ids.get(old);
    if (id === undefined) throw new RowUnusable(`It refers to a ${this.what} that is not there (${old}).`);
    return id;
  }

  get size(): number {
    return this.ids.size;
  }
}

/** A growing array of numbers. */
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

  /** How many of the ascending numbers are not greater. */
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

/** New IDs of messages: contiguous, in the archive's order, at sixteen bytes per message. */
export class MessageIds {
  private readonly old = new Numbers();
  private readonly times = new Numbers();

  /** @param base the highest existing ID */
  constructor(readonly base: number) {}

  get count(): number {
    return this.old.length;
  }

  /** The highest new ID. */
  get last(): number {
    return this.base + this.old.length;
  }

  /** @returns false for an ID that is not greater than the previous one */
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

  /** New ID of the last message up to an ID of the archive; the base if there is none. */
  upTo(old: number): number {
    return this.base + this.old.countUpTo(old);
  }

  /** New ID of the last message sent by a time; the base if there is none. */
  upToTime(seconds: number): number {
    return this.base + this.times.countUpTo(seconds);
  }
}
