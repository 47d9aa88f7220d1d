import type { KeyLimit } from '../../../platform/actor';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import { defineHook, definePort } from '../../../platform/hooks/hook';
import type { AccountRecord } from '../../users/users.module';
import type { RenderedMarkdown } from '../markdown/render-markdown';
import type { MessageHead } from './message-rows.service';
import type { SentMessageWire } from './message-records.api';

/** The client queue from which a message was sent, and the client's own ID for the message. */
export interface LocalEcho {
  readonly queueId: string;
  readonly localId: string;
}

/** A message with its current content. */
interface MessageWithContent {
  readonly messageId: number;
  readonly sender: AccountRecord;
  /** The limit of the named API key with which the content was sent. */
  readonly limit?: KeyLimit | null;
  readonly rendered: RenderedMarkdown;
}

/** A message whose content was just replaced by its sender. */
export interface EditedMessage extends MessageWithContent {
  /** Whether it is a direct message. */
  readonly isDirect: boolean;
  /** People mentioned by name in the new content but not in the old, recipients or not. */
  readonly newlyNamed: ReadonlySet<number>;
  /**
   * Like `newlyNamed`, and with the current members of mentioned groups; without people who were mentioned before in
   * either way.
   */
  readonly newlyMentioned: ReadonlySet<number>;
}

/** A message that was just written. */
export interface SentMessage extends MessageWithContent {
  /** The people it reaches: the subscribers of the channel, or all participants of the conversation. */
  readonly audience: Audience;
  /** Whether it is a direct message. */
  readonly isDirect: boolean;
  /** Null for a direct message. */
  readonly topicId: number | null;
  /** Set if the sender's client gave the message an ID. */
  readonly echo?: LocalEcho;
}

/** A topic of a channel. */
export interface TopicPlace {
  readonly channelId: number;
  readonly topicId: number;
  /** '' for the empty topic. */
  readonly topic: string;
}

/** Messages that were just moved from one topic to another, possibly in another channel. */
export interface MovedMessages {
  /** Ascending. There may be up to a hundred thousand. */
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
  /** JSON that makes it a widget, if the sender sent any. */
  readonly widgetContent?: string;
}

/**
 * Runs before the event of a new message: listeners return the fields that they add to it, and write them in the same
 * transaction.
 */
export const newMessageFields = defineHook<[tx: Transaction, message: InsertedMessage], object>(
  'newMessageFields',
);

/** Runs after a message's rows and events are written, in the same transaction. */
export const messageSent = defineHook<[tx: Transaction, message: SentMessage]>('messageSent');

/** Runs after an edited message's row is written. If the message moves as well, {@link messagesMoved} follows. */
export const messageEdited = defineHook<[tx: Transaction, message: EditedMessage]>('messageEdited');

/** Runs after the moved messages' rows are written. */
export const messagesMoved = defineHook<[tx: Transaction, moved: MovedMessages]>('messagesMoved');

/**
 * Runs before the locked rows of messages are deleted. Listeners delete their rows that refer to them. The IDs are
 * ascending, at most 500 at a time.
 */
export const messagesDeleted =
  defineHook<[tx: Transaction, messageIds: readonly number[]]>('messagesDeleted');

/**
 * Fields that features add to the record of a message for which they have no data yet, such as an empty list of
 * reactions.
 */
export const emptyMessageFields = defineHook<[], Readonly<Record<string, unknown>>>('emptyMessageFields');

/** How records are presented. */
export interface FieldsView {
  /** The limit of the reader's named API key. */
  readonly limit: KeyLimit | null;
  /** Returns the name of a topic as shown to the reader. */
  readonly shownTopic: (topic: string) => string;
}

/**
 * Thrown by a listener of {@link messageFields} that has too much data for these messages together. The caller retries
 * with fewer messages; for a single message a listener returns everything.
 */
export class FieldsTooLarge extends Error {
  constructor() {
    super('Related data too large. Request fewer messages.');
  }
}

/** Fields that features add to the records of messages that the reader may see: by message ID, if there are any. */
export const messageFields = defineHook<
  [db: Queryable, messages: readonly MessageHead[], view: FieldsView],
  ReadonlyMap<number, object>
>('messageFields');

/** Looks up messages by the IDs that clients gave them. */
export interface SentEchoes {
  /** The response to the earlier request that sent a message with this ID; null if there is none. */
  find(senderId: number, echo: LocalEcho): Promise<SentMessageWire | null>;
  /** Records that sending this message changed the sender's policy for the topic. */
  noteTopicPolicy(tx: Transaction, senderId: number, echo: LocalEcho, policy: number): Promise<void>;
}

/** Provided by the feature that manages client queues. */
export const sentEchoesPort = definePort<SentEchoes>('sentEchoesPort');

/**
 * Thrown by a listener of {@link messageSent} if the client sent the same message concurrently in another request; this
 * one is then rolled back.
 */
export class SentMeanwhile extends Error {
  constructor(readonly answer: SentMessageWire) {
    super('A concurrent request already sent this message.');
  }
}
