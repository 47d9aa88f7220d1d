import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Message } from './message.entity';
import { Account } from '../../users/users.module';

/** Flags of one person on one message, only where they differ from what the message itself says. */
@Entity('message_flag')
@Index('ix_message_flag_message_id', ['messageId'])
export class MessageFlag {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => Message)
  @PrimaryColumn('integer', { name: 'message_id' })
  messageId!: number;

  /** Bits: see message-flags.ts. */
  @Column('integer')
  flags!: number;
}
