import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** A program and network from which a person has signed in. */
@Entity('known_device')
@Index('ix_known_device_user_id_digest', ['userId', 'digest'], { unique: true })
export class KnownDevice {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** SHA-256 of program, operating system and network, in hex. */
  @Column('text')
  digest!: string;

  /** Last sign-in from there, UNIX seconds. */
  @Column('bigint', { name: 'seen_at' })
  seenAt!: number;
}

/** The state of an invitation; an open one may still have expired. */
type InvitationState = 'open' | 'used' | 'revoked';

/** An invitation of one person by email address, or a link for several people. */
@Entity('invitation')
@Index('ix_invitation_nonce', ['nonce'], { unique: true })
@Index('ix_invitation_inviter_id', ['inviterId'])
@Index('ix_invitation_used_by_id', ['usedById'])
@Index('ix_invitation_email_key', ['emailKey'])
@Index('ix_invitation_created_at', ['createdAt'])
export class Invitation {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Identifies it in its link. The secret part of the link is derived from it and not stored. */
  @Column('text')
  nonce!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'inviter_id' })
  inviterId!: number;

  /** Whether any number of people may use it. */
  @Column('boolean', { name: 'is_multiuse' })
  isMultiuse!: boolean;

  /** The invited person's address while the invitation is open; otherwise empty. */
  @Column('text')
  email!: string;

  /** Normalized `email`, for comparisons. */
  @Column('text', { name: 'email_key' })
  emailKey!: string;

  @Column('integer')
  role!: number;

  /** JSON: IDs of channels in addition to the default ones. */
  @Column('text', { name: 'channel_ids' })
  channelIds!: string;

  /** JSON: IDs of user groups. */
  @Column('text', { name: 'group_ids' })
  groupIds!: string;

  @Column('boolean', { name: 'with_default_channels' })
  withDefaultChannels!: boolean;

  /** Whether the inviter is notified when the person joins. */
  @Column('boolean', { name: 'notifies_inviter' })
  notifiesInviter!: boolean;

  /** Welcome text instead of the organization's; null to use the organization's. */
  @Column('text', { name: 'welcome_text', nullable: true })
  welcomeText!: string | null;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** UNIX seconds; null if it never expires. */
  @Column('bigint', { name: 'expires_at', nullable: true })
  expiresAt!: number | null;

  @Column('text')
  state!: InvitationState;

  /** When it was used or revoked, in UNIX seconds; null while it is open. */
  @Column('bigint', { name: 'ended_at', nullable: true })
  endedAt!: number | null;

  /** The account created with it, if it was for one person. */
  @ForeignKey(() => Account)
  @Column('integer', { name: 'used_by_id', nullable: true })
  usedById!: number | null;

  /** How often it was resent on request. */
  @Column('integer', { name: 'mails_asked' })
  mailsAsked!: number;
}
