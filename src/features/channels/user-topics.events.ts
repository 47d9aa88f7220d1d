import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import type { TopicVisibility } from './topic-visibility';

/**
 * All topics that the receiver has muted: name of the channel, name of the topic, UNIX seconds. For
 * clients from before there were other policies (reference E5).
 */
export const mutedTopicsReplaced = defineEvent<{
  muted_topics: readonly (readonly [string, string, number])[];
}>('muted_topics');

const policyChanged = defineEvent<{
  stream_id: number;
  topic_name: string;
  last_updated: number;
  visibility_policy: TopicVisibility;
}>('user_topic');

/**
 * The receiver's policy for a topic changed; it is `none` where there is none any more.
 * @param at UNIX seconds
 */
export function userTopicChanged(
  channelId: number,
  topic: string,
  policy: TopicVisibility,
  at: number,
): ServerEvent {
  return policyChanged({
    stream_id: channelId,
    topic_name: topic,
    last_updated: at,
    visibility_policy: policy,
  });
}
