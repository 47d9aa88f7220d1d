import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A browser that is notified through its push service. It ends with the session in which it was registered. */
@Entity('web_push_subscription')
@Index('ix_web_push_subscription_user_id', ['userId'])
@Index('ix_web_push_subscription_endpoint_hash', ['endpointHash'], { unique: true })
export class PushSubscription {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** The session of the browser; `token_id` of its row. */
  @Column('text', { name: 'session_token_id' })
  sessionTokenId!: string;

  /** URL of the push service for this browser only; a secret. */
  @Column('text')
  endpoint!: string;

  /** SHA-256 of the endpoint, which is too long for an index. */
  @Column('text', { name: 'endpoint_hash' })
  endpointHash!: string;

  /** Public key of the browser, in Base64. */
  @Column('text')
  p256dh!: string;

  /** Authentication secret of the browser, in Base64. */
  @Column('text')
  auth!: string;

  /** The public key of this server with which the browser registered, in Base64. */
  @Column('text', { name: 'vapid_key' })
  vapidKey!: string;

  /** UNIX seconds until which the browser is muted; 0 if it is not. */
  @Column('bigint', { name: 'quiet_until', default: 0 })
  quietUntil!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
