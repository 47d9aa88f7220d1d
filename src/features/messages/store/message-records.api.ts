import type { MessageRow } from './message-rows.service';
import { MessageFact } from './message-flags';
import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import { escapeHtml } from '../markdown/sanitize';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** The sender of a message in records. */
export interface SenderWire {
  readonly sender_id: number;
  readonly sender_full_name: string;
  readonly sender_email: string;
  readonly sender_realm_str: string;
}

/** A participant of a direct message. */
export interface RecipientWire {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly is_mirror_dummy: boolean;
}

/** A submessage: a widget, or an action on it such as a vote. */
export interface SubmessageWire {
  readonly id: number;
  readonly message_id: number;
  readonly sender_id: number;
  readonly msg_type: string;
  /** JSON. */
  readonly content: string;
}

/** The record of a message. Other features add fields such as `reactions`. */
export interface MessageWire extends SenderWire {
  readonly id: number;
  readonly recipient_id: number;
  readonly content: string;
  readonly content_type: ContentType;
  readonly timestamp: number;
  readonly client: string;
  readonly type: 'stream' | 'private';
  readonly stream_id?: number;
  readonly display_recipient: string | readonly RecipientWire[];
  readonly subject: string;
  readonly topic_links: readonly { text: string; url: string }[];
  readonly avatar_url: string | null;
  readonly is_me_message: boolean;
  readonly last_edit_timestamp?: number;
  readonly last_moved_timestamp?: number;
  readonly submessages: readonly SubmessageWire[];
  readonly [contributed: string]: unknown;
}

/** `content_type` of a message record: rendered or source. */
export const ContentType = { html: 'text/html', markdown: 'text/x-markdown' } as const;
export type ContentType = (typeof ContentType)[keyof typeof ContentType];

/** The fields of a record about the channel and topic, or about the participants of a conversation. */
export type PlaceWire =
  | {
      readonly type: 'stream';
      readonly stream_id: number;
      readonly display_recipient: string;
      readonly subject: string;
      readonly topic_links: readonly { text: string; url: string }[];
    }
  | {
      readonly type: 'private';
      readonly display_recipient: readonly RecipientWire[];
      readonly subject: '';
      readonly topic_links: readonly never[];
    };

/** The person's properties that message records use. */
interface NamedPerson {
  readonly id: number;
  readonly fullName: string;
  readonly email: string;
}

/** The fields of a record about the sender. */
export function senderWire({ id, fullName, email }: NamedPerson): SenderWire {
  return { sender_id: id, sender_full_name: fullName, sender_email: email, sender_realm_str: '' };
}

/** The place of a direct message. @param people all participants */
export function conversationWire(people: readonly NamedPerson[]): PlaceWire {
  const recipients = people.map(({ id, email, fullName }) => ({
    id,
    email,
    full_name: fullName,
    is_mirror_dummy: false,
  }));
  return { type: 'private', display_recipient: recipients, subject: '', topic_links: [] };
}

/** The place of a channel message. */
export function topicPlaceWire(
  channel: { readonly id: number; readonly name: string },
  topic: string,
  links: readonly { text: string; url: string }[],
): PlaceWire {
  return {
    type: 'stream',
    stream_id: channel.id,
    display_recipient: channel.name,
    subject: topic,
    topic_links: links,
  };
}

/** The place for clients that do not support the empty topic. @param shownAs its display name */
export function withoutEmptyTopic(place: PlaceWire, shownAs: string): PlaceWire {
  return place.type === 'stream' && place.subject === '' ? { ...place, subject: shownAs } : place;
}

/** The fields of a record about the sender. */
export interface ShownSender extends SenderWire {
  readonly avatar_url: string | null;
}

/** The parts of a record that do not come from the message's own row. */
export interface MessageParts {
  readonly sender: ShownSender;
  readonly place: PlaceWire;
  readonly contributed: ContributedWire;
}

/** Fields that features add to a record; a record without submessages has an empty list of them. */
export interface ContributedWire {
  readonly submessages: readonly SubmessageWire[];
  readonly [contributed: string]: unknown;
}

/** Builds the record of a message, without personal flags. */
export function messageWire(message: MessageRow, parts: MessageParts, contentType: ContentType): MessageWire {
  return { ...rowWire(message, contentType), ...parts.sender, ...parts.place, ...parts.contributed };
}

/** The fields of a record that come from the message's own row. */
export function rowWire(message: MessageRow, contentType: ContentType) {
  return {
    id: message.id,
    recipient_id: recipientId(message),
    content: contentType === ContentType.html ? message.renderedContent : message.content,
    content_type: contentType,
    timestamp: message.sentAt,
    client: message.clientName,
    is_me_message: (message.facts & MessageFact.isMeMessage) !== 0,
    ...(message.lastEditedAt === null ? {} : { last_edit_timestamp: message.lastEditedAt }),
    ...(message.lastMovedAt === null ? {} : { last_moved_timestamp: message.lastMovedAt }),
  };
}

/**
 * Alternative forms of a new message, for queues that asked for a different one than the event has: HTML, avatar URLs
 * included, empty topic names allowed.
 * @param emptyTopicName how the organization displays the empty topic
 */
export function alternativeForms(
  message: MessageRow,
  place: PlaceWire,
  hasPublicGravatar: boolean,
  emptyTopicName: string,
): Record<string, Partial<MessageWire>> {
  const shown = withoutEmptyTopic(place, emptyTopicName);
  return {
    markdown: { content: message.content, content_type: ContentType.markdown },
    ...(hasPublicGravatar ? { gravatar: { avatar_url: null } } : {}),
    ...(shown === place ? {} : { shown_empty_topic: { subject: shown.subject } }),
  };
}

/**
 * A number for the recipients of a message: even for channels and odd for direct conversations, so that both directions
 * of a conversation share a number and no two places do.
 */
function recipientId(message: Pick<MessageRow, 'channelId' | 'conversationId'>): number {
  return message.channelId === null ? 2 * (message.conversationId ?? 0) + 1 : 2 * message.channelId;
}

/** The response to the sender of a message. */
export interface SentMessageWire {
  readonly id: number;
  /** Only if sending changed the sender's policy for the topic: 2 unmuted, 3 followed. */
  readonly automatic_new_visibility_policy?: number;
}

/** @param topicPolicy the sender's new policy for the topic; null if it did not change */
export function sentMessageWire(id: number, topicPolicy: number | null): SentMessageWire {
  return topicPolicy === null ? { id } : { id, automatic_new_visibility_policy: topicPolicy };
}

/** A message arrived. The record contains HTML and no flags. */
export const messageArrived = defineEvent<{ message: MessageWire; flags: readonly string[] }>('message');

interface FlagsPayload {
  readonly operation: 'add' | 'remove';
  readonly flag: string;
  readonly messages: readonly number[];
  readonly all: boolean;
}

/** The place of a message that became unread, so that clients that have not loaded it can count it. */
export type UnreadPlaceWire =
  | {
      readonly type: 'stream';
      readonly stream_id: number;
      readonly topic: string;
      /** Whether neither the channel nor the topic is muted. */
      readonly unmuted_stream_msg: boolean;
      readonly mentioned?: true;
    }
  | {
      readonly type: 'private';
      /** The other participants of the conversation. */
      readonly user_ids: readonly number[];
      readonly mentioned?: true;
    };

/** Messages got a flag of the recipient. */
const flagsAdded = defineEvent<FlagsPayload>('update_message_flags', 'add');
/** Messages lost a flag of the recipient; for `read`, the event includes what clients need to count them as unread. */
const flagsRemoved = defineEvent<
  FlagsPayload & { readonly message_details?: Readonly<Record<string, UnreadPlaceWire>> }
>('update_message_flags', 'remove');

/** The recipient now has a flag on these messages that they did not have before. */
export function messageFlagAdded(flag: string, messageIds: readonly number[]): ServerEvent {
  return flagsAdded({ operation: 'add', flag, messages: messageIds, all: false });
}

/** The recipient no longer has a flag on these messages. @param unread the places of messages that became unread */
export function messageFlagRemoved(
  flag: string,
  messageIds: readonly number[],
  unread?: Readonly<Record<string, UnreadPlaceWire>>,
): ServerEvent {
  const details = unread && { message_details: unread };
  return flagsRemoved({ operation: 'remove', flag, messages: messageIds, all: false, ...details });
}

/** The recipient marked everything as read. */
export function everythingRead(): ServerEvent {
  return flagsAdded({ operation: 'add', flag: 'read', messages: [], all: true });
}

/** The message does not exist or is not accessible: the text is the same, so as not to reveal which. */
export class InvalidMessage extends refusal('Invalid message(s)') {}

/** No channel has this name. The name is escaped, because web clients insert the text into a page. */
export class ChannelNameUnknown extends ApiError {
  constructor(name: string) {
    super(`Channel '${name}' does not exist`, {
      code: 'STREAM_DOES_NOT_EXIST',
      data: { stream: escapeHtml(name) },
    });
  }
}

/** No channel that the caller may know about has this ID. */
export class ChannelIdUnknown extends ApiError {
  constructor(channelId: number) {
    super(`Channel with ID '${channelId}' does not exist`, {
      code: 'STREAM_DOES_NOT_EXIST',
      data: { stream_id: channelId },
    });
  }
}

/** Neither the request nor the bot's settings name a channel. */
export class MissingChannel extends refusal('Missing channel') {}

/** A channel message lacks a topic; even the empty one must be sent explicitly. */
export class MissingTopic extends refusal('Missing topic') {}

/** A direct message is sent to an empty list of people. */
export class MissingRecipients extends refusal('Message must have recipients') {}

/** A direct message names an address that belongs to no user visible to the sender. */
export class InvalidRecipientEmail extends ApiError {
  constructor(email: string) {
    super(`Invalid email '${email}'`);
  }
}

/** A direct message names an ID that belongs to no account. */
export class InvalidRecipientId extends ApiError {
  constructor(userId: number) {
    super(`Invalid user ID ${userId}`);
  }
}

/** A guest names a person whom they cannot see under the organization's settings. */
export class RecipientNotVisible extends refusal(
  'You do not have permission to access some of the recipients.',
) {}

/** A direct message names a person whose account is deactivated. */
export class RecipientDeactivated extends ApiError {
  constructor(email: string) {
    super(`'${email}' is no longer using Zulip.`);
  }
}

/** `direct_message_permission_group` is `role:nobody`. */
export class DirectMessagesDisabled extends refusal('Direct messages are disabled in this organization.') {}

/** No one in the conversation is in `direct_message_permission_group`. */
export class NobodyMayAuthorize extends refusal(
  'This conversation does not include any users who can authorize it.',
) {}

/** The conversation would be new and the sender is not in `direct_message_initiator_group`. */
export class MayNotStartConversation extends refusal(
  'You do not have permission to initiate direct message conversations.',
) {}

/** A message mentions everyone in a channel that is larger than the sender may notify. */
export class ChannelWildcardNotAllowed extends refusal(
  'You do not have permission to use channel wildcard mentions in this channel.',
  {
    code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  },
) {}

/** A message mentions everyone in a topic with more participants than the sender may notify. */
export class TopicWildcardNotAllowed extends refusal(
  'You do not have permission to use topic wildcard mentions in this topic.',
  {
    code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  },
) {}

/** The sender is not in the group's `can_mention_group`. */
export class GroupMentionNotAllowed extends ApiError {
  constructor(groupName: string) {
    super(`You are not allowed to mention user group '${groupName}'.`);
  }
}

/** `sender` is for mirrors of other chat systems, which this server does not support. */
export class MirroringNotSupported extends refusal('Invalid mirrored message') {}

/** Sending on another person's behalf, or with another time. */
export class ForgingNotAllowed extends refusal('User not authorized for this query') {}

/** A request asks for more messages than one response may contain. */
export class TooManyMessages extends ApiError {
  constructor(limit: number) {
    super(`Too many messages requested (maximum ${limit}).`);
  }
}

/** The messages with the given IDs would make the response too large. */
export class MessagesTooLarge extends refusal('Response too large. Request fewer messages.') {}

/** `message_ids` together with parameters of a range. */
export class IdsWithRange extends ApiError {
  constructor() {
    const parameters = 'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor';
    super(`Unsupported parameter combination: ${parameters}`, { data: { parameters } });
  }
}

/** An invalid narrow; `desc` repeats the reason. */
export class BadNarrow extends ApiError {
  constructor(desc: string) {
    super(`Invalid narrow operator: ${desc}`, { code: 'BAD_NARROW', data: { desc } });
  }
}

/** Operators that cannot be combined. */
export class BadNarrowCombination extends ApiError {
  constructor(desc: string) {
    super(`Invalid narrow operator combination: ${desc}`, { code: 'BAD_NARROW', data: { desc } });
  }
}
