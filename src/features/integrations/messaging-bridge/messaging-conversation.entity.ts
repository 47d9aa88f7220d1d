import { Column, Entity, PrimaryGeneratedColumn, Index } from 'typeorm';

/** An outside sender, and their own topic. */
@Entity('messaging_conversation')
@Index('ix_messaging_conversation_source_address', ['source', 'address'], { unique: true })
@Index('ix_messaging_conversation_topic_id', ['topicId'], { unique: true })
export class MessagingConversation {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Format of their messages; senders with different formats are different people. */
  @Column('text')
  source!: string;

  /** The sender's address in that format, such as a telephone number. */
  @Column('text')
  address!: string;

  /** The operator's number that they last wrote to, if the format includes it. */
  @Column('text', { nullable: true })
  via!: string | null;

  /** The topic may no longer exist: its row is deleted with its last message, and its ID is never reused. */
  @Column('integer', { name: 'topic_id' })
  topicId!: number;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}

/** Maps a delivery to the message that was posted for it, so that a repeated delivery is not posted again. */
@Entity('messaging_receipt')
@Index('ix_messaging_receipt_source_external_id', ['source', 'externalId'], { unique: true })
export class MessagingReceipt {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  source!: string;

  @Column('text', { name: 'external_id' })
  externalId!: string;

  /** The message may have been deleted since. */
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}

/** An answer that would have been posted if a URL for answers were configured. */
@Entity('messaging_mock_entry')
export class MessagingMockEntry {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** The request body that would have been posted, as JSON. */
  @Column('text')
  payload!: string;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
