import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from './account.entity';

/** A device registered for mobile push notifications. */
@Entity('push_registration')
@Index('ix_push_registration_user_id_kind_token', ['userId', 'kind', 'token'], { unique: true })
export class PushRegistration {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** `apns`, `fcm` or `e2ee`. */
  @Column('text')
  kind!: string;

  @Column('text')
  token!: string;

  @Column('text', { name: 'app_id', nullable: true })
  appId!: string | null;

  /** JSON object with what the kind needs beside the token. */
  @Column('text')
  data!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
