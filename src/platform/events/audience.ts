import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import type { SqlRunner } from '../sql/queryable';

/**
 * An immutable set of user IDs: the recipients of an event. Compare, store and share it by its encoding, which is
 * computed once; so keep the object if the set is used again unchanged.
 */
export class Audience {
  static readonly none = new Audience(new Uint32Array());

  private encoded?: Buffer;
  private digest?: string;

  private constructor(private readonly sorted: Uint32Array) {}

  /** @throws {TypeError} when an ID is not an integer from 0 to 2^32 - 1 */
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
    // Large lists are mostly in order already, and sorting takes longer than everything else.
    return Audience.fromSorted(isAscending ? sorted : sorted.sort());
  }

  /** Decodes the result of {@link encoding}. */
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

  /** The IDs, ascending. Shared, not a copy: do not modify it. */
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

  /** The union of this set and the others. */
  union(...others: readonly Audience[]): Audience {
    const added = others.filter((other) => other.size > 0 && other !== this);
    if (added.length === 0) return this;
    return Audience.of([this, ...added].flatMap((audience) => [...audience.sorted]));
  }

  /** This set without the given people. */
  without(ids: Iterable<number>): Audience {
    const left = new Set(ids);
    const kept = this.sorted.filter((id) => !left.has(id));
    return kept.length === this.sorted.length ? this : Audience.fromSorted(kept);
  }

  /**
   * The differences between consecutive IDs, as variable-length integers of seven bits per byte, lowest first. Equal
   * sets have equal encodings; a set of consecutive IDs takes one byte per person.
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

  /** @param sorted may contain duplicates; the audience takes ownership */
  private static fromSorted(sorted: Uint32Array): Audience {
    if (sorted.length === 0) return Audience.none;
    let size = 1;
    for (let at = 1; at < sorted.length; at++) {
      const id = sorted[at] as number;
      if (id !== sorted[size - 1]) sorted[size++] = id;
    }
    return new Audience(size === sorted.length ? sorted : sorted.slice(0, size));
  }
}

/** Number of bytes for 32 bits, with seven bits per byte. */
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

const MINUTE_MS = 60_000;

/** An audience in use is marked again after this long, so that expiry spares it. */
const USED_AGAIN_AFTER_MS = 5 * MINUTE_MS;

/**
 * An unreferenced audience is kept for this long after its last use. Far longer than the interval above and any open
 * transaction: one that is about to reference it must still find it.
 */
export const UNUSED_AUDIENCE_KEPT_MS = 60 * MINUTE_MS;

const MAX_KNOWN = 10_000;
const MAX_LOADED = 2_000;

interface Known {
  readonly id: number;
  readonly usedAt: number;
}

/** Audiences stored by one transaction, by hash, with what to remember after the commit. */
export type StoredAudiences = ReadonlyMap<string, Known>;

/**
 * Large audiences are stored once and referenced, so that an event for everyone is a short row. This caches which of
 * them the table contains.
 */
@Injectable()
export class AudienceStore {
  private readonly known = new Map<string, Known>();
  private readonly loaded = new Map<number, Audience>();

  constructor(private readonly clock: Clock) {}

  /** Stores those not known to be stored. Always in the same order, so that transactions cannot deadlock. */
  async store(db: SqlRunner, audiences: Iterable<Audience>): Promise<StoredAudiences> {
    const byHash = new Map([...audiences].map((audience) => [audience.hash(), audience]));
    const stored = new Map<string, Known>();
    for (const hash of [...byHash.keys()].sort()) {
      stored.set(hash, this.fresh(hash) ?? (await this.write(db, byHash.get(hash) as Audience)));
    }
    return stored;
  }

  /** Call it after the database lost commits: stored rows may be gone. */
  forget(): void {
    this.known.clear();
    this.loaded.clear();
  }

  /** Call it after the commit: before that, other connections do not see the rows. */
  remember(stored: StoredAudiences): void {
    for (const [hash, known] of stored) keep(this.known, hash, known, MAX_KNOWN);
  }

  /** @throws if one of them is missing */
  async load(db: SqlRunner, ids: Iterable<number>): Promise<ReadonlyMap<number, Audience>> {
    const wanted = new Set(ids);
    const found = new Map<number, Audience>();
    for (const id of wanted) {
      const audience = this.loaded.get(id);
      if (audience) found.set(id, audience);
    }
    const missing = [...wanted].filter((id) => !found.has(id));
    if (missing.length > 0) {
      const rows = await db.query<{ id: number; members: Buffer }>(
        'SELECT id, members FROM audience WHERE id IN (?)',
        [missing],
      );
      for (const row of rows) {
        const audience = Audience.decode(row.members);
        found.set(row.id, audience);
        keep(this.loaded, row.id, audience, MAX_LOADED);
      }
    }
    if (found.size < wanted.size) throw new Error('An event refers to a missing audience.');
    return found;
  }

  private fresh(hash: string): Known | undefined {
    const known = this.known.get(hash);
    return known && this.clock.nowMs() - known.usedAt < USED_AGAIN_AFTER_MS ? known : undefined;
  }

  private async write(db: SqlRunner, audience: Audience): Promise<Known> {
    const usedAt = this.clock.nowMs();
    const { id } = await db.queryOne<{ id: number }>(
      `INSERT INTO audience (hash, members, last_used_at) VALUES (?, ?, ?)
       ON CONFLICT (hash) DO UPDATE SET last_used_at = excluded.last_used_at RETURNING id`,
      [audience.hash(), audience.encoding(), usedAt],
    );
    return { id, usedAt };
  }
}

/** Adds an entry; above the limit, the oldest one is dropped. */
function keep<K, V>(map: Map<K, V>, key: K, value: V, limit: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}
