import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** A browser in which a person is not asked for the code of their second factor. */
@Entity('remembered_device')
@Index('ix_remembered_device_user_id_digest', ['userId', 'digest'], { unique: true })
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
}
