import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Which message became of one that was delivered from outside, so that delivering it again does not post it again. */
@Entity('messaging_receipt')
@Index('ix_messaging_receipt_source_external_id', ['source', 'externalId'], { unique: true })
export class MessagingReceipt {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  source!: string;

  @Column('text', { name: 'external_id' })
  externalId!: string;

  /** The message itself may be deleted meanwhile. */
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
