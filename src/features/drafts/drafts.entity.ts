import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Channel } from '../channels/channels.module';
import { Account } from '../users/users.module';

/** An unsent message. */
@Entity('draft')
@Index('ix_draft_user_id_edited_at', ['userId', 'editedAt'])
export class Draft {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Null for direct messages, or without a destination. */
  @ForeignKey(() => Channel)
  @Column('integer', { name: 'channel_id', nullable: true })
  channelId!: number | null;

  /**
   * JSON: IDs of the recipients, without the owner unless they are alone; empty for a channel. Not a conversation yet,
   * because conversations make people visible to each other.
   */
  @Column('text', { name: 'recipient_ids' })
  recipientIds!: string;

  /** Empty for direct messages. */
  @Column('text')
  topic!: string;

  /** Markdown. */
  @Column('text')
  content!: string;

  /** As sent by the client. UNIX milliseconds. */
  @Column('bigint', { name: 'edited_at' })
  editedAt!: number;
}

/** A reminder of a message. Its row is deleted on delivery. */
@Entity('reminder')
@Index('ix_reminder_user_id_deliver_at', ['userId', 'deliverAt'])
@Index('ix_reminder_target_message_id', ['targetMessageId'])
export class Reminder {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** The message, which may have been deleted by now: the reminder then only says so. */
  @Column('integer', { name: 'target_message_id' })
  targetMessageId!: number;

  /** The person's note; empty for none. */
  @Column('text')
  note!: string;

  /** Markdown of the bot's message, as of the creation of the reminder. */
  @Column('text')
  content!: string;

  /** HTML. */
  @Column('text', { name: 'rendered_content' })
  renderedContent!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'deliver_at' })
  deliverAt!: number;

  /** Whether delivery failed permanently. */
  @Column('boolean', { name: 'has_failed' })
  hasFailed!: boolean;
}

/** A message to send later. When it is sent, a {@link SentScheduledMessage} replaces it. */
@Entity('scheduled_message')
@Index('ix_scheduled_message_user_id_deliver_at', ['userId', 'deliverAt'])
export class ScheduledMessage {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** Null for a direct message. */
  @ForeignKey(() => Channel)
  @Column('integer', { name: 'channel_id', nullable: true })
  channelId!: number | null;

  /**
   * JSON: IDs of the recipients, without the sender unless they are alone; empty for a channel. Not a conversation yet,
   * because conversations make people visible to each other.
   */
  @Column('text', { name: 'recipient_ids' })
  recipientIds!: string;

  /** '' for the empty topic and for direct messages. */
  @Column('text')
  topic!: string;

  /** Markdown. */
  @Column('text')
  content!: string;

  /** HTML, as rendered when the content was written. */
  @Column('text', { name: 'rendered_content' })
  renderedContent!: string;

  /** Client program with which it was last edited, and which the message will name. */
  @Column('text', { name: 'client_name' })
  clientName!: string;

  /** Whether it starts as read for its sender. */
  @Column('boolean', { name: 'is_read_by_sender' })
  isReadBySender!: boolean;

  /** UNIX seconds. */
  @Column('bigint', { name: 'deliver_at' })
  deliverAt!: number;

  /** Whether it could not be sent. It then waits to be rescheduled. */
  @Column('boolean', { name: 'has_failed' })
  hasFailed!: boolean;
}

/** A scheduled message that was sent. Clients that have not received that event may still try to delete it. */
@Entity('sent_scheduled_message')
@Index('ix_sent_scheduled_message_user_id_sent_at', ['userId', 'sentAt'])
export class SentScheduledMessage {
  /** Its ID as a scheduled message. */
  @PrimaryColumn('integer')
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'sent_at' })
  sentAt!: number;
}
