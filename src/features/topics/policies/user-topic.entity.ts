import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Channel } from '../../channels';
import { Account } from '../../users';

/** What a person has said about a topic. */
export const TopicVisibility = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;

/** One of the values of a topic's visibility policy, as rows and the wire have it. */
export type TopicVisibility = (typeof TopicVisibility)[keyof typeof TopicVisibility];

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
