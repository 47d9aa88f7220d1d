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

  /** Separated by spaces. */
  @Column('text')
  scopes!: string;

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
