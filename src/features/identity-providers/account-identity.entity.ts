import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** Links an account to a person at an identity provider; the link survives changes of either email address. */
@Entity('account_identity')
@Index('ix_account_identity_issuer_sub', ['issuer', 'sub'], { unique: true })
@Index('ix_account_identity_user_id_issuer', ['userId', 'issuer'], { unique: true })
export class AccountIdentity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Issuer URL. A provider with a new URL is a new provider, so its users do not get existing accounts. */
  @Column('text')
  issuer!: string;

  /** Subject: the provider's ID for the person, which it never reassigns. */
  @Column('text')
  sub!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
