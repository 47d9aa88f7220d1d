import { createHash } from 'node:crypto';

/**
 * A frozen set of user IDs: who is due an event. Compare, store and share it by its encoding, which is
 * worked out once; so keep the object where a set is used again unchanged.
 */
export class Audience {
  static readonly nobody = new Audience(new Uint32Array());

  private encoded?: Buffer;
  private digest?: string;

  private constructor(private readonly sorted: Uint32Array) {}

  /** @throws {TypeError} when an ID is no whole number from 0 to 2^32 - 1 */
  static of(ids: Iterable<number>): Audience {
    const given = Array.isArray(ids) ? (ids as readonly number[]) : [...ids];
    const sorted = new Uint32Array(given.length);
    let isAscending = true;
    for (let at = 0; at < given.length; at++) {
      const id = given[at] as number;
      if (!Number.isInteger(id) || id < 0 || id > 0xffff_ffff) {
        throw new TypeError('An audience holds user IDs.');
      }
      if (at > 0 && id < (sorted[at - 1] as number)) isAscending = false;
      sorted[at] = id;
    }
    // Where there are many they mostly come in order, and sorting takes longer than all the rest.
    return Audience.fromSorted(isAscending ? sorted : sorted.sort());
  }

  /** The set that {@link encoding} was made from. */
  static decode(encoding: Uint8Array): Audience {
    const ids: number[] = [];
    let id = 0;
    for (let at = 0; at < encoding.length;) {
      let gap = 0;
      let weight = 1;
      let byte: number;
      do {
        byte = encoding[at++] ?? 0;
        gap += (byte & 0x7f) * weight;
        weight *= 128;
      } while (byte & 0x80);
      id += gap;
      ids.push(id);
    }
    return Audience.fromSorted(Uint32Array.from(ids));
  }

  get size(): number {
    return this.sorted.length;
  }

  /** The IDs, ascending. Shared, not a copy: leave it as it is. */
  ids(): Uint32Array {
    return this.sorted;
  }

  has(id: number): boolean {
    let low = 0;
    let high = this.sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.sorted[middle] as number) < id) low = middle + 1;
      else high = middle;
    }
    return this.sorted[low] === id;
  }

  /** This set and the others together. */
  union(...others: readonly Audience[]): Audience {
    const added = others.filter((other) => other.size > 0 && other !== this);
    if (added.length === 0) return this;
    return Audience.of([this, ...added].flatMap((audience) => [...audience.sorted]));
  }

  /** This set with the given people left out. */
  without(ids: Iterable<number>): Audience {
    const left = new Set(ids);
    const kept = this.sorted.filter((id) => !left.has(id));
    return kept.length === this.sorted.length ? this : Audience.fromSorted(kept);
  }

  /**
   * The gap from each ID to the one before it, as variable-length integers of seven bits a byte, lowest
   * first. Equal sets have equal encodings; a set of neighbours takes one byte a person.
   */
  encoding(): Buffer {
    this.encoded ??= encode(this.sorted);
    return this.encoded;
  }

  /** SHA-256 of the encoding, in hexadecimal. */
  hash(): string {
    this.digest ??= createHash('sha256').update(this.encoding()).digest('hex');
    return this.digest;
  }

  /** @param sorted may name somebody twice; it belongs to the audience from now on */
  private static fromSorted(sorted: Uint32Array): Audience {
    if (sorted.length === 0) return Audience.nobody;
    let size = 1;
    for (let at = 1; at < sorted.length; at++) {
      const id = sorted[at] as number;
      if (id !== sorted[size - 1]) sorted[size++] = id;
    }
    return new Audience(size === sorted.length ? sorted : sorted.slice(0, size));
  }
}

/** What seven bits a byte make of 32 bits. */
const MAX_BYTES_A_GAP = 5;

function encode(sorted: Uint32Array): Buffer {
  const bytes = Buffer.allocUnsafe(sorted.length * MAX_BYTES_A_GAP);
  let length = 0;
  let previous = 0;
  for (const id of sorted) {
    let gap = id - previous;
    previous = id;
    while (gap >= 128) {
      bytes[length++] = (gap % 128) | 0x80;
      gap = Math.floor(gap / 128);
    }
    bytes[length++] = gap;
  }
  return Buffer.from(bytes.subarray(0, length));
}
