import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Message } from '../messages';
import { Account } from '../users';

/** A message of which a bot's webhook has yet to be told. */
@Entity('webhook_delivery')
@Index('ix_webhook_delivery_message_id_bot_id', ['messageId', 'botId'], { unique: true })
@Index('ix_webhook_delivery_due_at', ['dueAt'])
export class WebhookDelivery {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Message)
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'bot_id' })
  botId!: number;

  /** What of the message concerns the bot, in the words of the wire. */
  @Column('text')
  cause!: string;

  /** How often it was taken in hand. */
  @Column('integer')
  attempts!: number;

  /**
   * UNIX milliseconds from when on a node may take it in hand. Whoever does so moves this beyond the end of the call, so
   * that it comes up again if that node dies.
   */
  @Column('bigint', { name: 'due_at' })
  dueAt!: number;

  /** What the bot says to it, once its webhook has answered. */
  @Column('text', { nullable: true })
  reply!: string | null;
}
