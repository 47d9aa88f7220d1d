import { createWriteStream, type WriteStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { RowUnusable } from './archive-row';
import type { JsonRow } from '../../../../platform/archives/json-rows';

/** What became of something. */
export type Fate = 'added' | 'changed' | 'replaced' | 'left out';

/** A line of a ledger. */
export interface LedgerLine {
  readonly fate: Fate;
  /** The archive's table. */
  readonly what: string;
  /** As the archive has it. */
  readonly id: number | string | null;
  readonly reason: string;
}

/** Names everything that an import did not take over as it was, a line of JSON each. */
export class Ledger {
  private readonly sink: WriteStream;
  /** How much was noted, whether or not it is in the file yet. */
  bytes: number;

  private constructor(
    readonly path: string,
    /** Whether what is noted is there already, since the archive is only read again. */
    private isMuted: boolean,
    kept: number,
  ) {
    this.bytes = kept;
    this.sink = createWriteStream(path, { flags: isMuted ? 'a' : 'w', mode: 0o600 });
  }

  /** @param resumed the import that goes on: what it noted since it last stored something, it will note again */
  static async open(path: string, resumed: { readonly ledgerBytes?: number } | null): Promise<Ledger> {
    if (resumed === null) return new Ledger(path, false, 0);
    const size = (await fs.stat(path).catch(() => null))?.size ?? 0;
    const kept = Math.min(size, resumed.ledgerBytes ?? size);
    if (kept < size) await fs.truncate(path, kept);
    return new Ledger(path, true, kept);
  }

  /** From here on, everything is noted for the first time. */
  resume(): void {
    this.isMuted = false;
  }

  /** @param id as the archive has it */
  note(fate: Fate, what: string, id: number | string | null, reason: string): void {
    if (this.isMuted) return;
    const line = `${JSON.stringify({ fate, what, id, reason } satisfies LedgerLine)}\n`;
    this.bytes += Buffer.byteLength(line);
    this.sink.write(line);
  }

  /** Copies the notes of a conversion. */
  async take(notes: AsyncIterable<{ readonly row: JsonRow | null }>): Promise<void> {
    for await (const { row } of notes) {
      const { fate, what, id, reason } = (row ?? {}) as Record<string, string | null>;
      if (fate && what && reason) this.note(fate as Fate, what, id ?? null, reason);
    }
    // A resumed import does not take the notes again.
    await this.flush();
  }

  /** Waits until everything is in the file. @returns its length */
  async flush(): Promise<number> {
    await new Promise<void>((written) => this.sink.write('', () => written()));
    return this.bytes;
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
