import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** A browser that is not asked for a person's second-factor code. */
@Entity('remembered_device')
@Index('ix_remembered_device_user_id_digest', ['userId', 'digest'], { unique: true })
@Index('ix_remembered_device_expires_at', ['expiresAt'])
export class RememberedDevice {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** SHA-256 of the cookie, in hex. */
  @Column('text')
  digest!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'expires_at' })
  expiresAt!: number;

  /** UNIX seconds; 0 for browsers remembered before this was stored. */
  @Column('bigint', { name: 'created_at', default: 0 })
  createdAt!: number;

  /** When it last replaced a code, in UNIX seconds; null if never. */
  @Column('bigint', { name: 'last_used_at', nullable: true })
  lastUsedAt!: number | null;

  /** IP address from which the code was sent. */
  @Column('text', { default: '' })
  address!: string;

  /** The user agent of the browser; empty if there was none. */
  @Column('text', { name: 'user_agent', default: '' })
  userAgent!: string;
}
