import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { ChannelFolder } from './channel-folder.entity';
import { Account } from '../../users/users.module';

/** A channel. Group settings hold the ID of a named or anonymous group. */
@Entity('channel')
@Index('ix_channel_name_key', ['nameKey'], { unique: true })
export class Channel {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text')
  name!: string;

  /** What must be unique: the name without regard to case, archived channels included. */
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

  /** Null inherits the organization setting; -1 keeps for ever. */
  @Column('integer', { name: 'message_retention_days', nullable: true })
  messageRetentionDays!: number | null;

  @Column('text', { name: 'topics_policy' })
  topicsPolicy!: string;

  @Column('integer', { name: 'first_message_id', nullable: true })
  firstMessageId!: number | null;

  @ForeignKey(() => ChannelFolder)
  @Column('integer', { name: 'folder_id', nullable: true })
  folderId!: number | null;

  /** UNIX seconds, kept to about a day. */
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
