import { jsonMembers, type UnreadPlaceWire } from '../messages/messages.module';
import { RawJson } from '../../platform/http/envelope.interceptor';
import { idList } from '../../platform/http/parameters/further-types';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { ApiError, refusal } from '../../platform/errors/api-error';

/** The response to a change in a narrow. */
export interface NarrowFlagsWire {
  readonly processed_count: number;
  readonly updated_count: number;
  /** Null if the range contains no messages, like the next one. */
  readonly first_processed_id: number | null;
  readonly last_processed_id: number | null;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  /** Empty unless messages should become unread; clients require the key in every response. */
  readonly ignored_because_not_subscribed_channels: readonly number[];
}

/** The part of the response about messages that stayed read: only if messages should become unread. */
export function ignoredChannelsWire(
  change: { readonly op: string; readonly flag: string },
  channelIds: readonly number[],
): { ignored_because_not_subscribed_channels?: readonly number[] } {
  const isReported = change.flag === 'read' && change.op === 'remove';
  return isReported ? { ignored_because_not_subscribed_channels: channelIds } : {};
}

/** The place of an unread channel message in events. */
export function topicPlaceWire(
  channelId: number,
  topic: string,
  { isMuted, isMentioned }: { readonly isMuted: boolean; readonly isMentioned: boolean },
): UnreadPlaceWire {
  return {
    type: 'stream',
    stream_id: channelId,
    topic,
    unmuted_stream_msg: !isMuted,
    ...(isMentioned ? { mentioned: true } : {}),
  };
}

/** The place of an unread direct message. @param others the other participants of the conversation */
export function conversationPlaceWire(others: readonly number[], isMentioned: boolean): UnreadPlaceWire {
  return { type: 'private', user_ids: others, ...(isMentioned ? { mentioned: true } : {}) };
}

/** A topic or conversation with unread messages. */
export interface UnreadPlace {
  /** Whether the reader muted the topic, or its channel. */
  readonly isMuted: boolean;
  readonly count: number;
  /** Comma-separated IDs, ascending. */
  readonly messageIds: string;
  readonly place:
    | { readonly channelId: number; readonly topic: string }
    /** All participants of the conversation, ascending. */
    | { readonly memberIds: readonly number[] };
}

/** A person's unread messages. */
export interface Unread {
  readonly places: readonly UnreadPlace[];
  /** IDs of the messages that mention the person, ascending. */
  readonly mentions: readonly number[];
  /** Whether older ones were left out. */
  readonly isTruncated: boolean;
}

interface UnreadPart {
  readonly unread_message_ids: readonly number[];
}

/** `unread_msgs` in the initial state of clients. */
interface UnreadWire {
  readonly count: number;
  readonly pms: readonly (UnreadPart & { readonly other_user_id: number; readonly sender_id: number })[];
  readonly huddles: readonly (UnreadPart & { readonly user_ids_string: string })[];
  readonly streams: readonly (UnreadPart & { readonly stream_id: number; readonly topic: string })[];
  readonly mentions: readonly number[];
  readonly old_unreads_missing: boolean;
}

/**
 * `unread_msgs` as JSON. Inserts the IDs as listed by the database.
 * @param userId of the reader; any number for a reader without an account, who has no unread messages
 * @param shownTopic returns the name of a topic as shown to the reader's client
 */
export function unreadWire(
  { places, mentions, isTruncated }: Unread,
  userId: number,
  shownTopic: (topic: string) => string,
): RawJson<UnreadWire> {
  const pms: Part<number>[] = [];
  const huddles: Part<string>[] = [];
  const streams: (Part<string> & { readonly channelId: number })[] = [];
  let count = 0;
  for (const { place, messageIds, count: inPlace, isMuted } of places) {
    if (!isMuted) count += inPlace;
    const textOf = (object: object) => `{${jsonMembers(object)},"unread_message_ids":[${messageIds}]}`;
    if ('channelId' in place) {
      const topic = shownTopic(place.topic);
      const { channelId } = place;
      const part = { key: topic.toLowerCase(), text: textOf({ stream_id: channelId, topic }) };
      streams.push({ channelId, ...part });
    } else if (place.memberIds.length > 2) {
      const key = place.memberIds.join(',');
      huddles.push({ key, text: textOf({ user_ids_string: key }) });
    } else {
      const other = place.memberIds.find((memberId) => memberId !== userId) ?? userId;
      pms.push({ key: other, text: textOf({ other_user_id: other, sender_id: other }) });
    }
  }
  const members = [
    `"count":${count}`,
    `"pms":${listText(pms.sort((a, b) => a.key - b.key))}`,
    `"huddles":${listText(huddles.sort((a, b) => compareTexts(a.key, b.key)))}`,
    `"streams":${listText(streams.sort((a, b) => a.channelId - b.channelId || compareTexts(a.key, b.key)))}`,
    `"mentions":[${mentions.join()}]`,
    `"old_unreads_missing":${isTruncated}`,
  ];
  return new RawJson(`{${members.join()}}`);
}

/** The JSON of a place, and its sort key. */
interface Part<Key> {
  readonly key: Key;
  readonly text: string;
}

function listText(parts: readonly Part<unknown>[]): string {
  return `[${parts.map(({ text }) => text).join()}]`;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Maximum number of messages in one request. */
const MAX_MESSAGES = 120_000;

/** Parameters of `POST /messages/flags`. */
export class UpdateFlagsDto {
  /** IDs of the messages. */
  @Parameter(idList({ maxItems: MAX_MESSAGES }), { example: [101, 102] })
  messages!: number[];

  /** `add` or `remove`. */
  @Parameter(text(), { checked: { enum: ['add', 'remove'] } })
  op!: string;

  /** `read`, `starred` or `collapsed`. */
  @Parameter(text(), { checked: { enum: ['read', 'starred', 'collapsed'] } })
  flag!: string;
}

/** Parameters of `POST /messages/flags/narrow`. */
export class UpdateFlagsInNarrowDto {
  /** ID of a message to start at, or `newest`, `oldest` or `first_unread`. */
  @Parameter(text(), { checked: { pattern: '^(newest|oldest|first_unread|[+-]?[0-9]+)$' } })
  anchor!: string;

  /** Whether to include the message at the anchor. */
  @Parameter(json.boolean(), { default: true })
  include_anchor!: boolean;

  /** Number of messages before the anchor. */
  @Parameter(json.integer({ min: 0 }))
  num_before!: number;

  /** Number of messages after the anchor. */
  @Parameter(json.integer({ min: 0 }))
  num_after!: number;

  /** Which messages to change, as terms that must all match; null for all. */
  @Parameter(json.nullable(json.array(json.any(), { maxItems: 100, maxCharacters: 262_144 })), {
    example: [{ operator: 'channel', operand: 'general' }],
  })
  narrow!: unknown[] | null;

  /** `add` or `remove`. */
  @Parameter(text(), { checked: { enum: ['add', 'remove'] } })
  op!: string;

  /** `read`, `starred` or `collapsed`. */
  @Parameter(text(), { checked: { enum: ['read', 'starred', 'collapsed'] } })
  flag!: string;
}

/** Parameters of `POST /mark_stream_as_read`. */
export class MarkChannelAsReadDto {
  /** ID of the channel. */
  @Parameter(json.integer())
  stream_id!: number;
}

/** Parameters of `POST /mark_topic_as_read`. */
export class MarkTopicAsReadDto extends MarkChannelAsReadDto {
  /** Name of the topic. */
  @Parameter(text())
  topic_name!: string;
}

/** Parameters of `GET /messages/{message_id}/read_receipts`. */
export class ReadReceiptsDto {
  /** ID of the message. */
  @PathParameter()
  message_id!: number;
}

/** No flag has this name; `wildcard_mentioned` cannot be named, as it is derived from two others. */
export class UnknownFlag extends ApiError {
  constructor(flag: string) {
    super(`Invalid flag: '${flag}'`);
  }
}

/** The flag follows from the content of a message, or from how the caller received it. */
export class FlagNotEditable extends ApiError {
  constructor(flag: string) {
    super(`Flag not editable: '${flag}'`);
  }
}

/** The operation is neither `add` nor `remove`. */
export class InvalidFlagOperation extends ApiError {
  constructor(operation: string) {
    super(`Invalid message flag operation: '${operation}'`);
  }
}

/** The caller has no message of the topic in their history, whether or not it has any. */
export class NoSuchTopic extends ApiError {
  constructor(topic: string) {
    super(`No such topic '${topic}'`);
  }
}

/** Read receipts are disabled in the organization. */
export class ReadReceiptsDisabled extends refusal('Read receipts are disabled in this organization.') {}
