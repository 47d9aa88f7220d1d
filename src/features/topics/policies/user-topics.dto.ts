import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import { MAX_TOPIC_LENGTH, UnsupportedCombination } from '../../channels';
import type { ChannelReference } from './topic-preferences.service';
import { TopicVisibility } from './topic-visibility';
import { ChannelNotNamed, InvalidVisibilityPolicy } from './user-topics.errors';

const topicName = text({ maxLength: MAX_TOPIC_LENGTH });

/** Parameters of `PATCH /users/me/subscriptions/muted_topics`. */
export class MuteTopicDto {
  /** ID of the channel; either this or its name. */
  @Parameter(json.integer(), { optional: true }) stream_id?: number;
  /** Name of the channel. */
  @Parameter(text(), { optional: true }) stream?: string;
  /** Name of the topic. */
  @Parameter(topicName) topic!: string;
  /** Whether to mute it or to end that. */
  @Parameter(oneOf(['add', 'remove'])) op!: 'add' | 'remove';
}

/** @throws ChannelNotNamed, UnsupportedCombination */
export function toChannelReference({ stream_id, stream }: MuteTopicDto): ChannelReference {
  if (stream_id !== undefined && stream !== undefined)
    throw new UnsupportedCombination('stream_id', 'stream');
  if (stream_id !== undefined) return { id: stream_id };
  if (stream !== undefined) return { name: stream };
  throw new ChannelNotNamed();
}

/** Parameters of `POST /user_topics`. */
export class SetUserTopicDto {
  /** ID of the channel. */
  @Parameter(json.integer()) stream_id!: number;
  /** Name of the topic. */
  @Parameter(topicName) topic!: string;
  /** 0 as the channel is, 1 muted, 2 unmuted, 3 followed. */
  @Parameter(json.integer()) visibility_policy!: number;
}

/** @throws InvalidVisibilityPolicy */
export function toVisibility({ visibility_policy: policy }: SetUserTopicDto): TopicVisibility {
  const known = Object.values(TopicVisibility).find((value) => value === policy);
  if (known === undefined) throw new InvalidVisibilityPolicy();
  return known;
}
