import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { TopicVisibility } from './topics.api';
import { Account } from '../../users/users.module';
import { Channel } from '../store/channel.entity';

/** A topic of a channel, maintained by sending, moving and deleting, so that listing topics never scans messages. */
@Entity('topic')
@Index('ix_topic_channel_id_name_key', ['channelId', 'nameKey'], { unique: true })
@Index('ix_topic_channel_id_max_message_id', ['channelId', 'maxMessageId'])
@Index('ix_topic_name_key', ['nameKey'])
export class Topic {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Channel)
  @Column('integer', { name: 'channel_id' })
  channelId!: number;

  /** Spelling of the newest message. */
  @Column('text')
  name!: string;

  @Column('text', { name: 'name_key' })
  nameKey!: string;

  @Column('integer', { name: 'max_message_id' })
  maxMessageId!: number;

  @Column('integer', { name: 'message_count' })
  messageCount!: number;
}

/** A person's visibility policy for a topic; a row exists only if one was set. */
@Entity('user_topic')
export class UserTopic {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => Channel)
  @PrimaryColumn('integer', { name: 'channel_id' })
  channelId!: number;

  @PrimaryColumn('text', { name: 'topic_key' })
  topicKey!: string;

  /** Spelling of the first mention. */
  @Column('text', { name: 'topic_name' })
  topicName!: string;

  @Column('integer', { name: 'visibility_policy' })
  visibilityPolicy!: TopicVisibility;

  /** UNIX seconds. */
  @Column('bigint', { name: 'last_updated' })
  lastUpdated!: number;
}
