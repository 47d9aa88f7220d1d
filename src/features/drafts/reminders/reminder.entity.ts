import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';

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
