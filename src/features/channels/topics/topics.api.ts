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

  /** Whether the client knows the empty topic; otherwise it gets a name in its place. */
  @Parameter(json.boolean(), { default: false })
  allow_empty_topic_name!: boolean;
}

/** What a person has said about a topic. */
export const TopicVisibility = { none: 0, muted: 1, unmuted: 2, followed: 3 } as const;

/** One of the values of a topic's visibility policy, as rows and the wire have it. */
export type TopicVisibility = (typeof TopicVisibility)[keyof typeof TopicVisibility];

/** A channel by its ID or its name. */
export type ChannelReference = { readonly id: number } | { readonly name: string };

/** A muted topic: name of the channel, name of the topic, UNIX seconds. */
export type MutedTopicWire = readonly [channel: string, topic: string, mutedAt: number];

/** What a person has said about a topic. */
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

/** `user_topics`: what the person said about topics. */
export function userTopicsState(topics: readonly UserTopicWire[]) {
  return { user_topics: topics };
}

/** `muted_topics`: the same for older clients, which know muting alone. */
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
  @Parameter(json.integer(), { checked: { enum: Object.values(TopicVisibility) } })
  visibility_policy!: number;
}

/** @throws InvalidVisibilityPolicy */
export function toVisibility({ visibility_policy: policy }: SetUserTopicDto): TopicVisibility {
  const known = Object.values(TopicVisibility).find((value) => value === policy);
  if (known === undefined) throw new InvalidVisibilityPolicy();
  return known;
}

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

/** Neither ID nor name of the channel is given; unlike for other missing parameters there is no specific code. */
class ChannelNotNamed extends refusal("Missing 'stream_id' argument") {}

/** There is nothing to unmute: the channel does not exist, or is out of reach. */
export class TopicNotMuted extends refusal('Topic is not muted') {}

/** The number is none of the visibility policies. */
class InvalidVisibilityPolicy extends refusal(
  'Invalid visibility_policy: Value error, Not in the list of possible values',
) {}
