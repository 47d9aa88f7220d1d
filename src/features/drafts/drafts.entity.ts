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
   * JSON: IDs of the people it goes to, without the owner unless they are alone; empty for a channel. It is no
   * conversation yet: through one, people come to see each other.
   */
  @Column('text', { name: 'recipient_ids' })
  recipientIds!: string;

  /** Empty for people. */
  @Column('text')
  topic!: string;

  /** Markdown. */
  @Column('text')
  content!: string;

  /** As the client puts it. UNIX milliseconds. */
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

  /** The message, which may be gone by now: the reminder then says nothing of it but that. */
  @Column('integer', { name: 'target_message_id' })
  targetMessageId!: number;

  /** What the person wrote to it; empty for nothing. */
  @Column('text')
  note!: string;

  /** Markdown that the bot would have sent when the reminder was made. */
  @Column('text')
  content!: string;

  /** HTML. */
  @Column('text', { name: 'rendered_content' })
  renderedContent!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'deliver_at' })
  deliverAt!: number;

  /** Whether it could not be delivered, and is not tried again. */
  @Column('boolean', { name: 'has_failed' })
  hasFailed!: boolean;
}

/** A message to be sent later. When it is sent, a {@link SentScheduledMessage} takes its place. */
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
   * JSON: IDs of the people it goes to, without the sender unless they are alone; empty for a channel. It is no
   * conversation yet: through one, people come to see each other.
   */
  @Column('text', { name: 'recipient_ids' })
  recipientIds!: string;

  /** Empty for the empty topic, and for a direct message. */
  @Column('text')
  topic!: string;

  /** Markdown. */
  @Column('text')
  content!: string;

  /** HTML, as it would have been when the content was written. */
  @Column('text', { name: 'rendered_content' })
  renderedContent!: string;

  /** Program with which it was last edited, and which the message will name. */
  @Column('text', { name: 'client_name' })
  clientName!: string;

  /** Whether it is to be read by its sender from the start. */
  @Column('boolean', { name: 'is_read_by_sender' })
  isReadBySender!: boolean;

  /** UNIX seconds. */
  @Column('bigint', { name: 'deliver_at' })
  deliverAt!: number;

  /** Whether it could not be sent. It then waits for another time. */
  @Column('boolean', { name: 'has_failed' })
  hasFailed!: boolean;
}

/** A scheduled message that was sent. Clients that have not heard of that may still delete it. */
@Entity('sent_scheduled_message')
@Index('ix_sent_scheduled_message_user_id_sent_at', ['userId', 'sentAt'])
export class SentScheduledMessage {
  /** The ID that it had as a scheduled message. */
  @PrimaryColumn('integer')
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'sent_at' })
  sentAt!: number;
}
