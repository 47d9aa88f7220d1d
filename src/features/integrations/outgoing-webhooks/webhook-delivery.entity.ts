import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A call of a bot's webhook; only the latest are kept, so that the bot's owner can find errors. */
@Entity('webhook_call')
@Index('ix_webhook_call_bot_id_id', ['botId', 'id'])
export class WebhookDelivery {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey('account')
  @Column('integer', { name: 'bot_id' })
  botId!: number;

  /** The message for which it was called. Deleting the message also deletes this row, unless the call ends later. */
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

  /** Response status; null if there was no response. */
  @Column('integer', { nullable: true })
  status!: number | null;

  /** Failure reason; null if the call succeeded. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** Beginning of the response if the call failed. */
  @Column('text', { nullable: true })
  answer!: string | null;
}
