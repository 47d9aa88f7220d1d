import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** Everything up to this message ID counts as read by the person. */
@Entity('read_watermark')
export class ReadWatermark {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @Column('integer', { name: 'message_id' })
  messageId!: number;
}
