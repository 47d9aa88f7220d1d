import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** An API key with a name and scopes, which an account has beside its own. */
@Entity('named_key')
@Index('ix_named_key_user_id', ['userId'])
export class NamedKey {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Account that it acts for: a person or a bot. */
  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Its purpose, as named by its creator. */
  @Column('text')
  name!: string;

  /** 128 random bits in hex; the key is derived from them and never stored. */
  @Column('text')
  nonce!: string;

  /** Separated by spaces; see {@link storedScopes}. */
  @Column('text')
  scopes!: string;

  /** IDs of the channels that it is limited to, separated by spaces; null where it is not. */
  @Column('text', { name: 'channel_ids', nullable: true })
  channelIds!: string | null;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** UNIX seconds; null where it goes on until it is revoked. */
  @Column('bigint', { name: 'expires_at', nullable: true })
  expiresAt!: number | null;

  /** UNIX seconds; null while it counts. Rows stay for a while, so that attempts with revoked keys are noticed. */
  @Column('bigint', { name: 'revoked_at', nullable: true })
  revokedAt!: number | null;

  /** UNIX seconds, to five minutes; null until its first use. */
  @Column('bigint', { name: 'last_used_at', nullable: true })
  lastUsedAt!: number | null;

  /** IP address of that use. */
  @Column('text', { name: 'last_address', nullable: true })
  lastAddress!: string | null;
}

/** What stands before each scope of a key that is limited to channels. */
const IN_CHANNELS = 'in_channels:';

/**
 * Scopes as they are stored. Those of a key that is limited to channels have other names, so that a release that knows
 * nothing of the limit, and may still run on the same database, allows the key nothing.
 */
export function storedScopes(scopes: readonly string[], isLimited: boolean): string {
  return (isLimited ? scopes.map((scope) => IN_CHANNELS + scope) : scopes).join(' ');
}

/** The scopes of a row, as they were given. */
export function scopesOf({ scopes }: Pick<NamedKey, 'scopes'>): string {
  return scopes.replaceAll(IN_CHANNELS, '');
}
