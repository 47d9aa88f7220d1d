import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Channel } from './channel.entity';
import { Account } from '../../users/users.module';

/** A person's settings for a channel. The row outlives unsubscribing, so that subscribing again restores it. */
@Entity('subscription')
@Index('ix_subscription_user_id_channel_id', ['userId', 'channelId'], { unique: true })
@Index('ix_subscription_channel_id', ['channelId'])
export class Subscription {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => Channel)
  @Column('integer', { name: 'channel_id' })
  channelId!: number;

  @Column('boolean', { name: 'is_active' })
  isActive!: boolean;

  @Column('text')
  color!: string;

  @Column('boolean', { name: 'is_muted' })
  isMuted!: boolean;

  @Column('boolean', { name: 'is_pinned' })
  isPinned!: boolean;

  @Column('boolean', { name: 'desktop_notifications', nullable: true })
  desktopNotifications!: boolean | null;

  @Column('boolean', { name: 'audible_notifications', nullable: true })
  audibleNotifications!: boolean | null;

  @Column('boolean', { name: 'push_notifications', nullable: true })
  pushNotifications!: boolean | null;

  @Column('boolean', { name: 'email_notifications', nullable: true })
  emailNotifications!: boolean | null;

  @Column('boolean', { name: 'wildcard_mentions_notify', nullable: true })
  wildcardMentionsNotify!: boolean | null;
}

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
