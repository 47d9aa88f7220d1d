import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** What holds the credentials of a session: a program that was given a token, or a browser with its cookie. */
export type SessionKind = 'token' | 'browser';

/** A login. The token or cookie that names the session works as long as this row exists. */
@Entity('login_session')
@Index('ix_login_session_token_id', ['tokenId'], { unique: true })
@Index('ix_login_session_user_id_id', ['userId', 'id'])
@Index('ix_login_session_expires_at', ['expiresAt'])
export class LoginSession {
  /** Names the session in lists and paths; it gives no access. */
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** The ID in the token: 128 random bits in hex. */
  @Column('text', { name: 'token_id' })
  tokenId!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** One is never taken for the other. */
  @Column('text', { default: 'token' })
  kind!: SessionKind;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** When it ends unless it is used before, and at the latest; UNIX seconds. */
  @Column('bigint', { name: 'expires_at' })
  expiresAt!: number;

  /** UNIX seconds, to five minutes; null where it was not used later than five minutes after it began. */
  @Column('bigint', { name: 'last_used_at', nullable: true })
  lastUsedAt!: number | null;

  /** IP address of the client that signed in. */
  @Column('text')
  address!: string;

  /** The user agent of that client; empty if there was none. */
  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  /** Address of the identity provider that vouched for the person; null where a password or link did. */
  @Column('text', { name: 'provider_issuer', nullable: true })
  providerIssuer!: string | null;

  /** What the provider calls its own session; null where it does not say. */
  @Column('text', { name: 'provider_sid', nullable: true })
  providerSid!: string | null;

  /** The ID token, sealed: it tells the provider which session to end. Null if the provider is not told. */
  @Column('text', { name: 'sealed_id_token', nullable: true })
  sealedIdToken!: string | null;

  /** Whether its owner has shown a second factor, here or at the provider. */
  @Column('boolean', { name: 'has_factor', default: false })
  hasFactor!: boolean;

  /** When its owner last proved who they are, UNIX seconds. */
  @Column('bigint', { name: 'authenticated_at', default: 0 })
  authenticatedAt!: number;
}
