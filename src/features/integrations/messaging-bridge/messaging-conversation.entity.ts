import { Column, Entity, PrimaryGeneratedColumn, Index } from 'typeorm';

/** A person outside who wrote, and the topic that belongs to them alone. */
@Entity('messaging_conversation')
@Index('ix_messaging_conversation_source_address', ['source', 'address'], { unique: true })
@Index('ix_messaging_conversation_topic_id', ['topicId'], { unique: true })
export class MessagingConversation {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** The format in which their messages come; senders in different formats are different people. */
  @Column('text')
  source!: string;

  /** The sender's address in that format, such as a telephone number. */
  @Column('text')
  address!: string;

  /** The operator's number that they wrote to last, if the format includes it. */
  @Column('text', { nullable: true })
  via!: string | null;

  /** The topic may be gone: its row goes with its last message, and the ID is never used again. */
  @Column('integer', { name: 'topic_id' })
  topicId!: number;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}

/** The message that a delivery from outside became, so that repeating the delivery does not post it again. */
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

/** An answer that would have been posted if an address for answers were configured. */
@Entity('messaging_mock_entry')
export class MessagingMockEntry {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** JSON, as it would have been posted. */
  @Column('text')
  payload!: string;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
