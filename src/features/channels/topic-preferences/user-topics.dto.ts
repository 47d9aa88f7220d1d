import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import { UnsupportedCombination } from '../channels.errors';
import type { ChannelReference } from './topic-preferences.service';
import { TopicVisibility } from '../topic-visibility';
import { ChannelNotNamed, InvalidVisibilityPolicy } from './user-topics.errors';

/** Longest name of a topic, in code points (reference A7). */
const MAX_TOPIC_LENGTH = 60;

const topicName = text({ maxLength: MAX_TOPIC_LENGTH });

/** Parameters of `PATCH /users/me/subscriptions/muted_topics` (spec, endpoint 3). */
export class MuteTopicDto {
  @Parameter(json.integer(), { optional: true }) stream_id?: number;
  @Parameter(text(), { optional: true }) stream?: string;
  @Parameter(topicName) topic!: string;
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
  @Parameter(json.integer()) stream_id!: number;
  @Parameter(topicName) topic!: string;
  @Parameter(json.integer()) visibility_policy!: number;
}

/** @throws InvalidVisibilityPolicy */
export function toVisibility({ visibility_policy: policy }: SetUserTopicDto): TopicVisibility {
  const known = Object.values(TopicVisibility).find((value) => value === policy);
  if (known === undefined) throw new InvalidVisibilityPolicy();
  return known;
}
