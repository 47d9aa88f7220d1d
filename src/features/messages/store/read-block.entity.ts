import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** Which messages of one block of IDs a person has read. */
@Entity('read_block')
export class ReadBlock {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @PrimaryColumn('integer')
  block!: number;

  /** Base64 of one bit a message. */
  @Column('text')
  bits!: string;
}

/** Everything up to this message ID counts as read by the person. */
@Entity('read_watermark')
export class ReadWatermark {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @Column('integer', { name: 'message_id' })
  messageId!: number;
}
