import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** A passkey of a person: what proves that a browser or security key holds the private part. */
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

  /** What the authenticator calls it, in Base64url. */
  @Column('text', { name: 'credential_id' })
  credentialId!: string;

  /** As SubjectPublicKeyInfo, in Base64url. */
  @Column('text', { name: 'public_key' })
  publicKey!: string;

  /** Number of the algorithm in the registry of COSE. */
  @Column('integer')
  algorithm!: number;

  /** The host for which it was made, and where alone browsers offer it. */
  @Column('text')
  site!: string;

  /** How often it has signed; stays 0 for those that are on several devices. */
  @Column('bigint', { name: 'sign_count' })
  signCount!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** UNIX seconds; null if it was not used since it was added. */
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
