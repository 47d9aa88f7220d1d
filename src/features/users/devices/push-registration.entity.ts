import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** A device registered for mobile push notifications that are not end-to-end encrypted. */
@Entity('push_registration')
@Index('ix_push_registration_user_id_kind_token', ['userId', 'kind', 'token'], { unique: true })
export class PushRegistration {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  @Column('text')
  kind!: 'apns' | 'fcm';

  @Column('text')
  token!: string;

  /** Name of the app, for `apns`. */
  @Column('text', { name: 'app_id', nullable: true })
  appId!: string | null;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
