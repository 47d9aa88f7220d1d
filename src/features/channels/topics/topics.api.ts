import { refusal } from '../../../platform/errors/api-error';
import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import { MAX_TOPIC_LENGTH } from '../store/channel-settings.service';
import { UnsupportedCombination } from '../store/channels.api';

/** Parameters of `GET /users/me/{stream_id}/topics`. */
export class ListTopicsDto {
  /** ID of the channel. */
  @PathParameter()
  stream_id!: number;

  /** Whether the client supports the empty topic name; otherwise a placeholder replaces it. */
  @Parameter(json.boolean(), { default: false })
  allow_empty_topic_name!: boolean;
}

/** A person's visibility policy for a topic. */
export const TopicVisibility = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;

/** A value of a topic's visibility policy, in rows and on the wire. */
export type TopicVisibility = (typeof TopicVisibility)[keyof typeof TopicVisibility];

/** A channel by its ID or its name. */
export type ChannelReference = { readonly id: number } | { readonly name: string };

/** A muted topic: name of the channel, name of the topic, UNIX seconds. */
export type MutedTopicWire = readonly [channel: string, topic: string, mutedAt: number];

/** A person's policy for a topic. */
interface UserTopicWire {
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

/** `user_topics`: the person's policies for topics. */
export function userTopicsState(topics: readonly UserTopicWire[]) {
  return { user_topics: topics };
}

/** `muted_topics`: the same for older clients, which only support muting. */
export function mutedTopicsState(topics: readonly MutedTopicWire[]) {
  return { muted_topics: topics };
}

const topicName = text({ maxLength: MAX_TOPIC_LENGTH });

/** Parameters of `PATCH /users/me/subscriptions/muted_topics`. */
export class MuteTopicDto {
  /** ID of the channel; either this or its name. */
  @Parameter(json.integer(), { optional: true }) stream_id?: number;
  /** Name of the channel. */
  @Parameter(text(), { optional: true }) stream?: string;
  /** Name of the topic. */
  @Parameter(topicName) topic!: string;
  /** Whether to mute or unmute the topic. */
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
  /** 0 inherit, 1 muted, 2 unmuted, 3 followed. */
  @Parameter(json.integer(), { checked: { enum: Object.values(TopicVisibility) } })
  visibility_policy!: number;
}

/** @throws InvalidVisibilityPolicy */
export function toVisibility({ visibility_policy: policy }: SetUserTopicDto): TopicVisibility {
  const known = Object.values(TopicVisibility).find((value) => value === policy);
  if (known === undefined) throw new InvalidVisibilityPolicy();
  return known;
}

/** All topics that the recipient has muted, for clients that only support muting. */
export const mutedTopicsReplaced = defineEvent<{ muted_topics: readonly MutedTopicWire[] }>('muted_topics');

/** The recipient muted, unmuted or followed a topic, or removed the policy. */
const policyChanged = defineEvent<Pick<UserTopicWire, keyof UserTopicWire>>('user_topic');

/**
 * The recipient's policy for a topic changed; `none` if it was removed.
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

/** The channel is identified neither by ID nor by name; unlike other missing parameters, this has no specific code. */
class ChannelNotNamed extends refusal("Missing 'stream_id' argument") {}

/** The topic cannot be unmuted: its channel does not exist or is not accessible. */
export class TopicNotMuted extends refusal('Topic is not muted') {}

/** The number is not a visibility policy. */
class InvalidVisibilityPolicy extends refusal(
  'Invalid visibility_policy: Value error, Not in the list of possible values',
) {}
