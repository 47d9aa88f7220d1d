import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** Links an account to a person at an identity provider, whatever address either of them has later. */
@Entity('account_identity')
@Index('ix_account_identity_issuer_sub', ['issuer', 'sub'], { unique: true })
@Index('ix_account_identity_user_id_issuer', ['userId', 'issuer'], { unique: true })
export class AccountIdentity {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Issuer address. A provider with a new address is a new provider, so its users do not get existing accounts. */
  @Column('text')
  issuer!: string;

  /** The provider's name for the person, which it never gives to anybody else. */
  @Column('text')
  sub!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
