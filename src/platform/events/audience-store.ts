import { Injectable } from '@nestjs/common';
import { Clock } from '../clock';
import type { SqlRunner } from '../sql/queryable';
import { Audience } from './audience';

const MINUTE_MS = 60_000;

/** An audience in use says so again after this long, so that expiry leaves it alone. */
const USED_AGAIN_AFTER_MS = 5 * MINUTE_MS;

/**
 * An audience that no event refers to is kept for this long after its last use. Far longer than the
 * interval above and any open transaction: one that is about to refer to it must still find it.
 */
export const UNUSED_AUDIENCE_KEPT_MS = 60 * MINUTE_MS;

const MAX_KNOWN = 10_000;
const MAX_LOADED = 2_000;

interface Known {
  readonly id: number;
  readonly usedAt: number;
}

/** Audiences as one transaction stored them: by hash, with what to remember once it is committed. */
export type StoredAudiences = ReadonlyMap<string, Known>;

/**
 * Large audiences are stored once and referred to, so that an event to everybody is a short row. Here is
 * which of them the table has.
 */
@Injectable()
export class AudienceStore {
  private readonly known = new Map<string, Known>();
  private readonly loaded = new Map<number, Audience>();

  constructor(private readonly clock: Clock) {}

  /** Stores those that are not known to be stored. Always in one order, so that transactions cannot deadlock. */
  async store(db: SqlRunner, audiences: Iterable<Audience>): Promise<StoredAudiences> {
    const byHash = new Map([...audiences].map((audience) => [audience.hash(), audience]));
    const stored = new Map<string, Known>();
    for (const hash of [...byHash.keys()].sort()) {
      stored.set(hash, this.fresh(hash) ?? (await this.write(db, byHash.get(hash) as Audience)));
    }
    return stored;
  }

  /** To be called after the commit: until then another connection does not see the rows. */
  remember(stored: StoredAudiences): void {
    for (const [hash, known] of stored) keep(this.known, hash, known, MAX_KNOWN);
  }

  /** @throws when one of them is missing */
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
    if (found.size < wanted.size) throw new Error('An event refers to an audience that is not stored.');
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

/** Puts an entry in; the oldest one goes when there are too many. */
function keep<K, V>(map: Map<K, V>, key: K, value: V, limit: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}
