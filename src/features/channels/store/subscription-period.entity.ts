import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Channel } from './channel.entity';
import { Account } from '../../users/users.module';

/** A stretch of message IDs during which a person was subscribed: what was sent to the channel then, the person received. */
@Entity('subscription_period')
@Index('ix_subscription_period_user_id_channel_id', ['userId', 'channelId'])
@Index('ix_subscription_period_channel_id_last_message_id', ['channelId', 'lastMessageId'])
export class SubscriptionPeriod {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => Channel)
  @Column('integer', { name: 'channel_id' })
  channelId!: number;

  /** First ID that counts. */
  @Column('integer', { name: 'first_message_id' })
  firstMessageId!: number;

  /** Last ID that counts; null while subscribed. */
  @Column('integer', { name: 'last_message_id', nullable: true })
  lastMessageId!: number | null;
}
