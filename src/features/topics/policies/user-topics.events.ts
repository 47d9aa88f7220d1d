import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import type { TopicVisibility } from './topic-visibility';
import { userTopicWire, type MutedTopicWire, type UserTopicWire } from './user-topics.wire';

/** All topics that the receiver has muted, for clients from before there were other policies. */
export const mutedTopicsReplaced = defineEvent<{ muted_topics: readonly MutedTopicWire[] }>('muted_topics');

/** One muted, unmuted or followed a topic, or ended that. */
const policyChanged = defineEvent<Pick<UserTopicWire, keyof UserTopicWire>>('user_topic');

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
  return policyChanged(userTopicWire(channelId, topic, policy, at));
}
