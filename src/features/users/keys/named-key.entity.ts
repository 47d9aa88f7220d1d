import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** An API key with a name and scopes, in addition to the account's own key. */
@Entity('named_key')
@Index('ix_named_key_user_id', ['userId'])
export class NamedKey {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** The account that it authenticates: a person or a bot. */
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

  /** IDs of the channels to which it is limited, separated by spaces; null without a limit. */
  @Column('text', { name: 'channel_ids', nullable: true })
  channelIds!: string | null;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** UNIX seconds; null if it is valid until revoked. */
  @Column('bigint', { name: 'expires_at', nullable: true })
  expiresAt!: number | null;

  /** UNIX seconds; null while valid. Rows are kept for a while, so that attempts with revoked keys can be recorded. */
  @Column('bigint', { name: 'revoked_at', nullable: true })
  revokedAt!: number | null;

  /** UNIX seconds, accurate to five minutes; null until its first use. */
  @Column('bigint', { name: 'last_used_at', nullable: true })
  lastUsedAt!: number | null;

  /** IP address of that use. */
  @Column('text', { name: 'last_address', nullable: true })
  lastAddress!: string | null;
}

/** Prefix of each scope of a key that is limited to channels. */
const IN_CHANNELS = 'in_channels:';

/**
 * Scopes as stored. Those of a key that is limited to channels have other names, so that an older release without
 * support for the limit, which may still run on the same database, grants the key nothing.
 */
export function storedScopes(scopes: readonly string[], isLimited: boolean): string {
  return (isLimited ? scopes.map((scope) => IN_CHANNELS + scope) : scopes).join(' ');
}

/** The scopes of a row under their original names. */
export function scopesOf({ scopes }: Pick<NamedKey, 'scopes'>): string {
  return scopes.replaceAll(IN_CHANNELS, '');
}
