import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { addTo } from '../../../platform/collections';
import { Directories, Directory } from '../../../platform/events/directories';
import type { KeyLimit, KeyScope } from '../../../platform/actor';
import { NamedApiKeys } from '../../../platform/secrets/api-keys';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { NamedKey, scopesOf } from './named-key.entity';

/** A named key in memory. Its time of use is not kept in sync with the table, because it changes too often. */
export interface KnownKey extends Readonly<Pick<NamedKey, 'id' | 'userId' | 'nonce' | 'createdAt'>> {
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly limit: KeyLimit;
}

/** All named keys in memory, including recently revoked ones, by the accounts that they authenticate. */
@Injectable()
export class NamedKeyDirectory extends Directory {
  readonly name = 'named_keys';

  private readonly keys = new Map<number, KnownKey[]>();
  /** Keys of an account by digests of the key: lookups reveal nothing about keys through their timing. */
  private readonly digests = new Map<number, ReadonlyMap<string, KnownKey>>();
  private changes = 0;

  constructor(
    directories: Directories,
    private readonly secrets: NamedApiKeys,
  ) {
    super();
    directories.register(this);
  }

  /** Incremented whenever a key is created or revoked. */
  get version(): number {
    return this.changes;
  }

  /** The keys of an account. */
  of(userId: number): readonly KnownKey[] {
    return this.keys.get(userId) ?? [];
  }

  /** Finds the key that was sent for an account, even if it is revoked or expired. */
  find(userId: number, given: string): KnownKey | undefined {
    const digest = digestOf(given);
    const known = this.digestsOf(userId)?.get(digest);
    return known && this.secrets.matches(known.nonce, given) ? known : undefined;
  }

  /** Digests of all keys that {@link find} returns for this account. */
  acceptedFor(userId: number): Iterable<string> {
    return this.digestsOf(userId)?.keys() ?? [];
  }

  async load(db: Queryable): Promise<void> {
    const rows = await entityRows(db, NamedKey, 'ORDER BY id');
    this.keys.clear();
    this.digests.clear();
    this.keep(rows);
  }

  /** @param ids of the accounts whose keys changed */
  async refresh(db: Queryable, ids: readonly number[]): Promise<void> {
    const rows = await entityRows(db, NamedKey, 'WHERE user_id IN (?) ORDER BY id', [ids]);
    for (const id of ids) {
      this.keys.delete(id);
      this.digests.delete(id);
    }
    this.keep(rows);
  }

  private keep(rows: readonly NamedKey[]): void {
    for (const row of rows) addTo(this.keys, row.userId, knownKey(row));
    this.changes++;
  }

  private digestsOf(userId: number): ReadonlyMap<string, KnownKey> | undefined {
    const known = this.digests.get(userId);
    const keys = this.keys.get(userId);
    if (known || !keys) return known;
    const made = new Map<string, KnownKey>();
    for (const key of keys) {
      for (const text of this.secrets.acceptedFor(key.nonce)) made.set(digestOf(text), key);
    }
    this.digests.set(userId, made);
    return made;
  }
}

/** The key of the lookup: comparing digests does not reveal how much of a guess was right. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

function knownKey({
  id,
  userId,
  nonce,
  scopes,
  createdAt,
  expiresAt,
  revokedAt,
  ...row
}: NamedKey): KnownKey {
  const channelIds = row.channelIds === null ? null : new Set(row.channelIds.split(' ').map(Number));
  const limit = { keyId: id, scopes: new Set(scopesOf({ scopes }).split(' ') as KeyScope[]), channelIds };
  return { id, userId, nonce, createdAt, expiresAt, revokedAt, limit };
}
