import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Message } from '../messages';
import { MessagingConversation } from './messaging-conversation.entity';

/** A message that has yet to be handed on to the person outside to whose topic it was sent. */
@Entity('messaging_answer')
@Index('ix_messaging_answer_message_id', ['messageId'], { unique: true })
@Index('ix_messaging_answer_conversation_id_id', ['conversationId', 'id'])
@Index('ix_messaging_answer_due_at', ['dueAt'])
export class MessagingAnswer {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => MessagingConversation)
  @Column('integer', { name: 'conversation_id' })
  conversationId!: number;

  @ForeignKey(() => Message)
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  /** How often it was taken in hand. */
  @Column('integer')
  attempts!: number;

  /** UNIX milliseconds from when on a node may take it in hand; moved beyond the end of the call by whoever does so. */
  @Column('bigint', { name: 'due_at' })
  dueAt!: number;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
