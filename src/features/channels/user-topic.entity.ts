import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Channel } from './channel.entity';
import { Account } from '../users/account.entity';

/** A person's visibility policy for a topic: 1 muted, 2 unmuted, 3 followed. */
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
  visibilityPolicy!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'last_updated' })
  lastUpdated!: number;
}
