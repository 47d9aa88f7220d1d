import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One call of the webhook of a bot, kept for a while so that its owner sees what went wrong. */
@Entity('webhook_call')
@Index('ix_webhook_call_bot_id_id', ['botId', 'id'])
export class WebhookDelivery {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey('account')
  @Column('integer', { name: 'bot_id' })
  botId!: number;

  /** The message for which it was called. When that is deleted, so is this, unless the call ends later. */
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'called_at' })
  calledAt!: number;

  @Column('integer', { name: 'duration_ms' })
  durationMs!: number;

  /** Number of the attempt, from 1. */
  @Column('integer')
  attempt!: number;

  /** Null where there was no answer. */
  @Column('integer', { nullable: true })
  status!: number | null;

  /** Why it failed; null where it succeeded. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** The beginning of an answer that was a failure. */
  @Column('text', { nullable: true })
  answer!: string | null;
}
