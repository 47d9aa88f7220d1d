import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** A device on which a person is signed in, with its registration for end-to-end-encrypted notifications. */
@Entity('client_device')
@Index('ix_client_device_user_id', ['userId'])
export class ClientDevice {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** The client's own number for its key: an unsigned 32-bit integer. */
  @Column('bigint', { name: 'push_key_id', nullable: true })
  pushKeyId!: number | null;

  /** Key for encrypting notifications, in Base64; the first byte names the cryptosystem. */
  @Column('text', { name: 'push_key', nullable: true })
  pushKey!: string | null;

  @Column('text', { name: 'push_token_kind', nullable: true })
  pushTokenKind!: 'apns' | 'fcm' | null;

  /** The client's ID for the token issued by Apple or Google: 8 bytes in Base64. */
  @Column('text', { name: 'push_token_id', nullable: true })
  pushTokenId!: string | null;

  /** The relay's public key for which the registration is encrypted, in Base64. */
  @Column('text', { name: 'relay_public_key', nullable: true })
  relayPublicKey!: string | null;

  /** The encrypted token, which only the relay can read, in Base64. */
  @Column('text', { name: 'sealed_registration', nullable: true })
  sealedRegistration!: string | null;

  /** UNIX seconds. */
  @Column('bigint', { name: 'push_token_updated_at', nullable: true })
  pushTokenUpdatedAt!: number | null;
}

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
