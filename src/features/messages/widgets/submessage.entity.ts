import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Message } from '../store/message.entity';
import { Account } from '../../users/users.module';

/** A submessage: a widget, or an action on it such as a vote. */
@Entity('submessage')
@Index('ix_submessage_message_id', ['messageId'])
export class Submessage {
  /** Later ones have greater IDs. */
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Message)
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'sender_id' })
  senderId!: number;

  /** As clients put it; `widget` for all that is known. */
  @Column('text', { name: 'msg_type' })
  msgType!: string;

  /** JSON, as the client wrote it. */
  @Column('text')
  content!: string;
}
