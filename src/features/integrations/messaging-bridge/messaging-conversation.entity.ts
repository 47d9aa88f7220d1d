import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

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
