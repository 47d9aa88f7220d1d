import { defineEvent } from '../../platform/events/server-event';

/**
 * All topics that the receiver has muted: name of the channel, name of the topic, UNIX seconds. For
 * clients from before there were other policies (reference E5).
 */
export const mutedTopicsReplaced = defineEvent<{
  muted_topics: readonly (readonly [string, string, number])[];
}>('muted_topics');

/** The receiver's policy for a topic changed; 0 where there is none any more. */
export const userTopicChanged = defineEvent<{
  stream_id: number;
  topic_name: string;
  /** UNIX seconds. */
  last_updated: number;
  visibility_policy: number;
}>('user_topic');
