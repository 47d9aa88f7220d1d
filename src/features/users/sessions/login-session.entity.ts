import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** The client of a session: a program with a token, or a browser with a cookie. */
export type SessionKind = 'token' | 'browser';

/** A login. The session's token or cookie is valid as long as this row exists. */
@Entity('login_session')
@Index('ix_login_session_token_id', ['tokenId'], { unique: true })
@Index('ix_login_session_user_id_id', ['userId', 'id'])
@Index('ix_login_session_expires_at', ['expiresAt'])
export class LoginSession {
  /** Identifies the session in lists and paths; it grants no access. */
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** The ID in the token: 128 random bits in hex. */
  @Column('text', { name: 'token_id' })
  tokenId!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Tokens and cookies are not interchangeable. */
  @Column('text', { default: 'token' })
  kind!: SessionKind;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** When it ends unless it is used before, and at the latest; UNIX seconds. */
  @Column('bigint', { name: 'expires_at' })
  expiresAt!: number;

  /** UNIX seconds, accurate to five minutes; null if it was not used more than five minutes after it started. */
  @Column('bigint', { name: 'last_used_at', nullable: true })
  lastUsedAt!: number | null;

  /** IP address of the client that signed in. */
  @Column('text')
  address!: string;

  /** The user agent of that client; empty if there was none. */
  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  /** Issuer URL of the identity provider that authenticated the person; null for sign-ins with a password or link. */
  @Column('text', { name: 'provider_issuer', nullable: true })
  providerIssuer!: string | null;

  /** The provider's ID for its own session; null if it sent none. */
  @Column('text', { name: 'provider_sid', nullable: true })
  providerSid!: string | null;

  /** The ID token, encrypted: identifies the session to end at the provider. Null if the provider is not notified. */
  @Column('text', { name: 'sealed_id_token', nullable: true })
  sealedIdToken!: string | null;

  /** Whether a second factor was verified, here or by the provider. */
  @Column('boolean', { name: 'has_factor', default: false })
  hasFactor!: boolean;

  /** When the owner last authenticated, in UNIX seconds. */
  @Column('bigint', { name: 'authenticated_at', default: 0 })
  authenticatedAt!: number;
}
