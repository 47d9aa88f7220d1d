import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

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
