import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In } from 'typeorm';
import { Clock } from '../../../platform/clock';
import type { ReadRepository } from '../../../platform/database/read-source';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { KEY_SCOPES, type KeyScope } from '../../../platform/actor';
import { ApiKeys, NamedApiKeys } from '../../../platform/secrets/api-keys';
import { type AuditAuthor, AuditLog } from '../../audit/audit.module';
import { accountActivityChanged, personalDataRemoved, credentialsChanged } from '../users.hooks';
import { NamedKey, storedScopes } from './named-key.entity';
import { NoSuchNamedKey, TooManyNamedKeys } from './named-keys.api';

/** Maximum number of valid keys per account. */
const MAX_KEYS = 50;

/** Maximum number of ended keys kept per account, so that attempts with them can be recorded. */
const MAX_ENDED = 50;

/** The properties of a key to create. */
export interface NewNamedKey {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  /** The only channels that it can access; null for all channels of its account. */
  readonly channelIds: readonly number[] | null;
  /** UNIX seconds; null for a key that is valid until revoked. */
  readonly expiresAt: number | null;
}

/** A new key: the only time that it can be seen. */
export interface CreatedNamedKey {
  readonly row: NamedKey;
  readonly key: string;
}

/** Creates, lists and revokes the named keys of accounts. They end when the account is deactivated. */
@Injectable()
export class NamedKeys {
  constructor(
    @InjectRepository(NamedKey) private readonly keys: ReadRepository<NamedKey>,
    private readonly secrets: NamedApiKeys,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly hooks: Hooks,
  ) {
    hooks.on(accountActivityChanged, async (tx, { id, isActive }) => {
      if (!isActive) await this.end(tx, id);
    });
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(NamedKey).delete({ userId });
      tx.touch('named_keys', [userId]);
    });
  }

  /** Keys of accounts that were not revoked, oldest first. */
  async of(userIds: readonly number[]): Promise<NamedKey[]> {
    const rows = await this.keys.find({ where: { userId: In([...userIds]) }, order: { id: 'ASC' } });
    return rows.filter(({ revokedAt }) => revokedAt === null);
  }

  /** Called in an exclusive transaction that has checked the account. @throws TooManyNamedKeys */
  async make(
    tx: Transaction,
    by: AuditAuthor,
    userId: number,
    wanted: NewNamedKey,
  ): Promise<CreatedNamedKey> {
    const before = await tx.repository(NamedKey).find({ where: { userId }, order: { id: 'ASC' } });
    const ended = before.filter((row) => this.hasEnded(row));
    if (before.length - ended.length >= MAX_KEYS) throw new TooManyNamedKeys(MAX_KEYS);
    const forgotten = ended.slice(0, Math.max(0, ended.length - MAX_ENDED)).map(({ id }) => id);
    if (forgotten.length > 0) await tx.repository(NamedKey).delete({ id: In(forgotten) });
    const scopes = KEY_SCOPES.filter((scope) => wanted.scopes.includes(scope));
    const channelIds = wanted.channelIds?.join(' ') ?? null;
    const row = await tx.repository(NamedKey).save({
      userId,
      name: wanted.name,
      nonce: ApiKeys.newNonce(),
      scopes: storedScopes(scopes, channelIds !== null),
      channelIds,
      createdAt: this.clock.nowSeconds(),
      expiresAt: wanted.expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      lastAddress: null,
    } as NamedKey);
    tx.touch('named_keys', [userId]);
    const { id, expiresAt } = row;
    this.audit.record(
      tx,
      by,
      'key.made',
      { id, userId },
      {
        scopes: scopes.join(' '),
        expires_at: expiresAt,
        ...(channelIds !== null && { channel_ids: channelIds }),
      },
    );
    await this.hooks.run(credentialsChanged, tx, userId, 'key_made', wanted.name);
    return { row, key: this.secrets.apiKeyFor(row.nonce) };
  }

  /** Called in an exclusive transaction. @throws NoSuchNamedKey */
  async revoke(tx: Transaction, by: AuditAuthor, userId: number, id: number): Promise<void> {
    const row = await tx.repository(NamedKey).findOneBy({ id, userId });
    if (row?.revokedAt !== null) throw new NoSuchNamedKey();
    await this.end(tx, userId, id);
    this.audit.record(tx, by, 'key.revoked', { id, userId });
  }

  /** Revokes all keys of an account; called in an exclusive transaction. @returns how many */
  async revokeAll(tx: Transaction, by: AuditAuthor, userId: number): Promise<number> {
    const ids = await this.end(tx, userId);
    for (const id of ids) this.audit.record(tx, by, 'key.revoked', { id, userId });
    return ids.length;
  }

  private async end(tx: Transaction, userId: number, only?: number): Promise<number[]> {
    const ended = await tx.query<{ id: number }>(
      `UPDATE named_key SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL
       ${only === undefined ? '' : 'AND id = ?'} RETURNING id`,
      [this.clock.nowSeconds(), userId, ...(only === undefined ? [] : [only])],
    );
    if (ended.length > 0) tx.touch('named_keys', [userId]);
    return ended.map(({ id }) => id).sort((a, b) => a - b);
  }

  private hasEnded({ revokedAt, expiresAt }: NamedKey): boolean {
    return revokedAt !== null || (expiresAt !== null && expiresAt <= this.clock.nowSeconds());
  }
}
