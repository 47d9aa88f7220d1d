import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Somebody outside who wrote, and the topic that belongs to them alone. */
@Entity('messaging_conversation')
@Index('ix_messaging_conversation_source_address', ['source', 'address'], { unique: true })
@Index('ix_messaging_conversation_topic_id', ['topicId'], { unique: true })
export class MessagingConversation {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** The form in which their messages come, as senders of different forms are different people. */
  @Column('text')
  source!: string;

  /** What the sender is called there, such as a telephone number. */
  @Column('text')
  address!: string;

  /** Which of the operator's own numbers they wrote to last, where the form tells. */
  @Column('text', { nullable: true })
  via!: string | null;

  /** It may be gone: the row of a topic goes with its last message, and its ID never comes back. */
  @Column('integer', { name: 'topic_id' })
  topicId!: number;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
