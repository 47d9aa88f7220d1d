import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Channel } from '../../store/channel.entity';
import { Account } from '../../../users/users.module';
import { TopicVisibility } from './topic-visibility';

/** A person's visibility policy for a topic; there is no row where nothing was said. */
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
