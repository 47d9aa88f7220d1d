import type { KeyLimit } from '../../../platform/actor';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import { defineHook, definePort } from '../../../platform/hooks/hook';
import type { AccountRecord } from '../../users/users.module';
import type { RenderedMarkdown } from '../markdown/render-markdown';
import type { MessageHead } from './message-rows.service';
import type { SentMessageWire } from './message-records.api';

/** The client queue from which a message was sent, and the name that the message has there. */
export interface LocalEcho {
  readonly queueId: string;
  readonly localId: string;
}

/** A message with the content that it has now. */
interface MessageWithContent {
  readonly messageId: number;
  readonly sender: AccountRecord;
  /** Of the named API key with which the content came. */
  readonly limit?: KeyLimit | null;
  readonly rendered: RenderedMarkdown;
}

/** A message whose content was just replaced by its sender. */
export interface EditedMessage extends MessageWithContent {
  /** Whether it is a direct message. */
  readonly isDirect: boolean;
  /** Whom the content names now and did not before, recipients or not. */
  readonly newlyNamed: ReadonlySet<number>;
  /** The same with the members of groups that it mentions now; without people who were mentioned either way before. */
  readonly newlyMentioned: ReadonlySet<number>;
}

/** A message that was just written. */
export interface SentMessage extends MessageWithContent {
  /** Whom it reaches: the subscribers of the channel, or everybody in the conversation. */
  readonly audience: Audience;
  /** Whether it is a direct message. */
  readonly isDirect: boolean;
  /** Null for a direct message. */
  readonly topicId: number | null;
  /** Where the sender's client gave it a name. */
  readonly echo?: LocalEcho;
}

/** A topic of a channel. */
export interface TopicPlace {
  readonly channelId: number;
  readonly topicId: number;
  /** Empty for the empty topic. */
  readonly topic: string;
}

/** Messages that just went from one topic to another, which may be in another channel or be a new name of the first. */
export interface MovedMessages {
  /** Ascending. There may be a hundred thousand of them. */
  readonly messageIds: readonly number[];
  readonly from: TopicPlace;
  readonly to: TopicPlace;
}

/** A message whose row was just inserted, before any event. */
export interface InsertedMessage {
  readonly messageId: number;
  readonly senderId: number;
  /** Markdown. */
  readonly content: string;
  /** JSON that makes it a widget, where its sender says so. */
  readonly widgetContent?: string;
}

/** Before a new message is told: what features add to it, which they write in the same transaction. */
export const newMessageFields = defineHook<[tx: Transaction, message: InsertedMessage], object>(
  'newMessageFields',
);

/** After a message's rows and events are written, in the same transaction. */
export const messageSent = defineHook<[tx: Transaction, message: SentMessage]>('messageSent');

/** After an edited message's row is written. Where the message is moved as well, {@link messagesMoved} follows. */
export const messageEdited = defineHook<[tx: Transaction, message: EditedMessage]>('messageEdited');

/** After the moved messages' rows are written. */
export const messagesMoved = defineHook<[tx: Transaction, moved: MovedMessages]>('messagesMoved');

/**
 * Runs before the rows of messages, which are locked, are deleted. Features delete their rows that refer to them. The IDs ascend
 * and are at most 500; more go in several steps.
 */
export const messagesDeleted =
  defineHook<[tx: Transaction, messageIds: readonly number[]]>('messagesDeleted');

/** What features add to the record of a message of which they have nothing to say yet, such as no reactions. */
export const emptyMessageFields = defineHook<[], Readonly<Record<string, unknown>>>('emptyMessageFields');

/** How records are shown. */
export interface FieldsView {
  /** Of the named API key with which the reader comes. */
  readonly limit: KeyLimit | null;
  /** What the reader is shown of the name of a topic. */
  readonly shownTopic: (topic: string) => string;
}

/**
 * Thrown by a listener of {@link messageFields} that has too much to add to these messages together. The caller asks for
 * fewer at a time; to a single message a listener adds whatever there is.
 */
export class FieldsTooLarge extends Error {
  constructor() {
    super('Related data too large. Request fewer messages.');
  }
}

/** What features add to the records of messages that the reader may see: by message ID, where there is anything. */
export const messageFields = defineHook<
  [db: Queryable, messages: readonly MessageHead[], view: FieldsView],
  ReadonlyMap<number, object>
>('messageFields');

/** What is known of messages that clients sent under names of their own. */
export interface SentEchoes {
  /** The answer to the request that sent a message under this name before; null when there is none. */
  find(senderId: number, echo: LocalEcho): Promise<SentMessageWire | null>;
  /** Notes that sending under this name changed the sender's policy for the topic. */
  noteTopicPolicy(tx: Transaction, senderId: number, echo: LocalEcho, policy: number): Promise<void>;
}

/** Provided by the feature that has the client queues. */
export const sentEchoesPort = definePort<SentEchoes>('sentEchoesPort');

/**
 * Thrown by a listener of {@link messageSent} when the client has sent this message at the same moment in another
 * request: this one is then rolled back.
 */
export class SentMeanwhile extends Error {
  constructor(readonly answer: SentMessageWire) {
    super('A concurrent request already sent this message.');
  }
}
