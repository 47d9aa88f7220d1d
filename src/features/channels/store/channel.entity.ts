import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A folder that groups channels in clients. */
@Entity('channel_folder')
export class ChannelFolder {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  name!: string;

  /** Name in lower case. */
  @Column('text', { name: 'name_key' })
  nameKey!: string;

  @Column('text')
  description!: string;

  @Column('text', { name: 'rendered_description' })
  renderedDescription!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'creator_id', nullable: true })
  creatorId!: number | null;

  @Column('bigint', { name: 'date_created' })
  dateCreated!: number;

  @Column('integer')
  position!: number;

  @Column('boolean', { name: 'is_archived' })
  isArchived!: boolean;
}

/** A channel. Group settings hold the ID of a named or anonymous group. */
@Entity('channel')
@Index('ix_channel_name_key', ['nameKey'], { unique: true })
export class Channel {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  name!: string;

  /** The unique key of the name, which is case-insensitive; includes archived channels. */
  @Column('text', { name: 'name_key' })
  nameKey!: string;

  @Column('text')
  description!: string;

  @Column('text', { name: 'rendered_description' })
  renderedDescription!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'date_created' })
  dateCreated!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'creator_id', nullable: true })
  creatorId!: number | null;

  @Column('boolean', { name: 'is_private' })
  isPrivate!: boolean;

  @Column('boolean', { name: 'is_web_public' })
  isWebPublic!: boolean;

  @Column('boolean', { name: 'is_archived' })
  isArchived!: boolean;

  @Column('boolean', { name: 'is_default' })
  isDefault!: boolean;

  @Column('boolean', { name: 'is_history_public_to_subscribers' })
  isHistoryPublicToSubscribers!: boolean;

  /** Null inherits the organization setting; -1 keeps messages forever. */
  @Column('integer', { name: 'message_retention_days', nullable: true })
  messageRetentionDays!: number | null;

  @Column('text', { name: 'topics_policy' })
  topicsPolicy!: string;

  @Column('integer', { name: 'first_message_id', nullable: true })
  firstMessageId!: number | null;

  @ForeignKey(() => ChannelFolder)
  @Column('integer', { name: 'folder_id', nullable: true })
  folderId!: number | null;

  /** UNIX seconds, accurate to about a day. */
  @Column('bigint', { name: 'last_message_at', nullable: true })
  lastMessageAt!: number | null;

  @Column('integer', { name: 'can_add_subscribers_group' })
  canAddSubscribersGroup!: number;

  @Column('integer', { name: 'can_administer_channel_group' })
  canAdministerChannelGroup!: number;

  @Column('integer', { name: 'can_create_topic_group' })
  canCreateTopicGroup!: number;

  @Column('integer', { name: 'can_delete_any_message_group' })
  canDeleteAnyMessageGroup!: number;

  @Column('integer', { name: 'can_delete_own_message_group' })
  canDeleteOwnMessageGroup!: number;

  @Column('integer', { name: 'can_move_messages_out_of_channel_group' })
  canMoveMessagesOutOfChannelGroup!: number;

  @Column('integer', { name: 'can_move_messages_within_channel_group' })
  canMoveMessagesWithinChannelGroup!: number;

  @Column('integer', { name: 'can_remove_subscribers_group' })
  canRemoveSubscribersGroup!: number;

  @Column('integer', { name: 'can_resolve_topics_group' })
  canResolveTopicsGroup!: number;

  @Column('integer', { name: 'can_send_message_group' })
  canSendMessageGroup!: number;

  @Column('integer', { name: 'can_subscribe_group' })
  canSubscribeGroup!: number;
}

/** The secret part of a channel's email address, one per channel, creator and sender. */
@Entity('channel_email_address')
@Index('ix_channel_email_address_channel_id_user_id_sender_id', ['channelId', 'userId', 'senderId'], {
  unique: true,
})
export class ChannelEmailAddress {
  @PrimaryColumn('text')
  token!: string;

  @ForeignKey(() => Channel)
  @Column('integer', { name: 'channel_id' })
  channelId!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'sender_id' })
  senderId!: number;
}

/** A person's settings for a channel. The row is kept after unsubscribing, so that subscribing again restores it. */
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

/** A range of message IDs during which a person was subscribed, and therefore received what was sent to the channel. */
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

  /** First ID of the period. */
  @Column('integer', { name: 'first_message_id' })
  firstMessageId!: number;

  /** Last ID of the period; null while subscribed. */
  @Column('integer', { name: 'last_message_id', nullable: true })
  lastMessageId!: number | null;
}
