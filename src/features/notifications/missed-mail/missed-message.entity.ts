import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Message } from '../../messages/messages.module';
import { Account } from '../../users/users.module';

/**
 * A message that a user missed, until they are mailed about it, and for a while afterwards so that it happens only
 * once.
 */
@Entity('missed_message')
@Index('ix_missed_message_message_id_user_id', ['messageId', 'userId'], { unique: true })
@Index('ix_missed_message_user_id_due_at', ['userId', 'dueAt'])
@Index('ix_missed_message_mailed_at', ['mailedAt'])
export class MissedMessage {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => Message)
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  /** UNIX milliseconds, like the two times below. */
  @Column('bigint', { name: 'noted_at' })
  notedAt!: number;

  /** When the message's batch is mailed. */
  @Column('bigint', { name: 'due_at' })
  dueAt!: number;

  /** Whether the user was active when the message arrived: the mail then waits until they are away. */
  @Column('boolean', { name: 'was_active' })
  wasActive!: boolean;

  /** Null until the mail is queued. */
  @Column('bigint', { name: 'mailed_at', nullable: true })
  mailedAt!: number | null;
}
