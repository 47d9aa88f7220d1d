import type { MessageRow } from './message-rows.service';
import { MessageFact } from './message-flags';

/** The sender of a message as records show them. */
export interface SenderWire {
  readonly sender_id: number;
  readonly sender_full_name: string;
  readonly sender_email: string;
  readonly sender_realm_str: string;
}

/** A person of a direct message. */
export interface RecipientWire {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly is_mirror_dummy: boolean;
}

/** What is attached to a message: the widget that it is, or what somebody did with that. */
export interface SubmessageWire {
  readonly id: number;
  readonly message_id: number;
  readonly sender_id: number;
  readonly msg_type: string;
  /** JSON. */
  readonly content: string;
}

/** A message as the interface shows it. Other features add fields such as `reactions`. */
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

/** `content_type` of a message record: rendered or as it was written. */
export const ContentType = { html: 'text/html', markdown: 'text/x-markdown' } as const;
export type ContentType = (typeof ContentType)[keyof typeof ContentType];

/** What a record shows of the channel and topic, or of the people of a conversation. */
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

/** A person as message records name them. */
interface NamedPerson {
  readonly id: number;
  readonly fullName: string;
  readonly email: string;
}

/** What a record says of who sent the message. */
export function senderWire({ id, fullName, email }: NamedPerson): SenderWire {
  return { sender_id: id, sender_full_name: fullName, sender_email: email, sender_realm_str: '' };
}

/** The place of a direct message. @param people everybody in the conversation */
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

/** The place as those see it who do not know of the empty topic. @param shownAs its display name */
export function withoutEmptyTopic(place: PlaceWire, shownAs: string): PlaceWire {
  return place.type === 'stream' && place.subject === '' ? { ...place, subject: shownAs } : place;
}

/** What a record shows of who sent the message. */
export interface ShownSender extends SenderWire {
  readonly avatar_url: string | null;
}

/** What a record shows beyond the message's own row. */
export interface MessageParts {
  readonly sender: ShownSender;
  readonly place: PlaceWire;
  readonly contributed: ContributedWire;
}

/** What features add to a record; a record without submessages has an empty list of them. */
export interface ContributedWire {
  readonly submessages: readonly SubmessageWire[];
  readonly [contributed: string]: unknown;
}

/** Builds the record of a message, without personal flags. */
export function messageWire(message: MessageRow, parts: MessageParts, contentType: ContentType): MessageWire {
  return { ...rowWire(message, contentType), ...parts.sender, ...parts.place, ...parts.contributed };
}

/** What a record shows of the message's own row. */
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
 * Forms of a new message for queues that asked for another one than its event has, which is: HTML, the address of
 * the picture spelled out, the empty topic as it is.
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
 * Names the set of people a message is for: even numbers for channels, odd ones for direct conversations, so
 * that both directions of a conversation share one number and no two places do.
 */
function recipientId(message: Pick<MessageRow, 'channelId' | 'conversationId'>): number {
  return message.channelId === null ? 2 * (message.conversationId ?? 0) + 1 : 2 * message.channelId;
}

/** What the sender of a message is told. */
export interface SentMessageWire {
  readonly id: number;
  /** Only if sending changed the sender's policy for the topic: 2 unmuted, 3 followed. */
  readonly automatic_new_visibility_policy?: number;
}

/** @param topicPolicy the sender's new policy for the topic; null when it stays as it was */
export function sentMessageWire(id: number, topicPolicy: number | null): SentMessageWire {
  return topicPolicy === null ? { id } : { id, automatic_new_visibility_policy: topicPolicy };
}
