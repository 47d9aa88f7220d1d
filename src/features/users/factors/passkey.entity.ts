import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** A person's passkey: the public part, which proves that a browser or security key has the private part. */
@Entity('passkey')
@Index('ix_passkey_credential_id', ['credentialId'], { unique: true })
@Index('ix_passkey_user_id_id', ['userId', 'id'])
export class Passkey {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Chosen by its owner. */
  @Column('text')
  name!: string;

  /** The authenticator's ID for it, in Base64url. */
  @Column('text', { name: 'credential_id' })
  credentialId!: string;

  /** As SubjectPublicKeyInfo, in Base64url. */
  @Column('text', { name: 'public_key' })
  publicKey!: string;

  /** COSE algorithm identifier. */
  @Column('integer')
  algorithm!: number;

  /** The host for which it was created; browsers offer it nowhere else. */
  @Column('text')
  site!: string;

  /** Number of signatures; stays 0 for passkeys that are synchronized between devices. */
  @Column('bigint', { name: 'sign_count' })
  signCount!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** UNIX seconds; null if never used. */
  @Column('bigint', { name: 'last_used_at', nullable: true })
  lastUsedAt!: number | null;
}

/** A challenge that a passkey has answered, or a token of an identity provider, kept until it would be too old anyway: each counts once. */
@Entity('used_challenge')
@Index('ix_used_challenge_digest', ['digest'], { unique: true })
@Index('ix_used_challenge_expires_at', ['expiresAt'])
export class UsedChallenge {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** SHA-256 of the challenge, in hex. */
  @Column('text')
  digest!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'expires_at' })
  expiresAt!: number;
}
