import type { TopicVisibility } from './topic-visibility';

/** A muted topic: name of the channel, name of the topic, UNIX seconds. */
export type MutedTopicWire = readonly [channel: string, topic: string, mutedAt: number];

/** What a person has said about a topic. */
export interface UserTopicWire {
  readonly stream_id: number;
  readonly topic_name: string;
  readonly last_updated: number;
  readonly visibility_policy: TopicVisibility;
}

/** @param at UNIX seconds */
export function userTopicWire(
  channelId: number,
  topic: string,
  policy: TopicVisibility,
  at: number,
): UserTopicWire {
  return { stream_id: channelId, topic_name: topic, last_updated: at, visibility_policy: policy };
}

/** `user_topics`: what the person said about topics. */
export function userTopicsState(topics: readonly UserTopicWire[]) {
  return { user_topics: topics };
}

/** `muted_topics`: the same for older clients, which know muting alone. */
export function mutedTopicsState(topics: readonly MutedTopicWire[]) {
  return { muted_topics: topics };
}
