import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import type { AccountRecord } from '../../users';
import type { RenderedMarkdown } from '../markdown/rendered-markdown';
import type { LocalEcho } from './sent-echo.registry';

/** A message whose content was just replaced by its sender. */
export interface EditedMessage {
  readonly messageId: number;
  readonly sender: AccountRecord;
  readonly rendered: RenderedMarkdown;
  /** Where its client gave it a name. */
  readonly echo?: LocalEcho;
}

/** A message that was just written. */
export interface SentMessage extends EditedMessage {
  /** Whom it reaches: the subscribers of the channel, or everybody in the conversation. */
  readonly audience: Audience;
  /** Whether it is a direct message. */
  readonly isDirect: boolean;
  /** Null for a direct message. */
  readonly topicId: number | null;
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

/**
 * What a higher feature does when messages are sent, change or go, such as noting which files they link. Called inside
 * the transaction; an error undoes everything.
 */
export interface MessageObserver {
  /** After the message's rows and events are written. */
  messageSent?(tx: Transaction, message: SentMessage): Promise<void>;

  /** After the message's row is written. Where the message is moved as well, {@link messagesMoved} follows. */
  messageEdited?(tx: Transaction, message: EditedMessage): Promise<void>;

  /** After the messages' rows are written. */
  messagesMoved?(tx: Transaction, moved: MovedMessages): Promise<void>;

  /**
   * Before the messages' rows go, which are locked. Whoever has rows that refer to them deletes those.
   * @param messageIds ascending, at most 500; more go in several steps
   */
  messagesDeleted?(tx: Transaction, messageIds: readonly number[]): Promise<void>;
}

/** Where observers of messages register themselves. They are called in the order of registration. */
@Injectable()
export class MessageObserverRegistry implements Required<MessageObserver> {
  private readonly observers: MessageObserver[] = [];

  register(observer: MessageObserver): void {
    this.observers.push(observer);
  }

  async messageSent(tx: Transaction, message: SentMessage): Promise<void> {
    for (const observer of this.observers) await observer.messageSent?.(tx, message);
  }

  async messageEdited(tx: Transaction, message: EditedMessage): Promise<void> {
    for (const observer of this.observers) await observer.messageEdited?.(tx, message);
  }

  async messagesMoved(tx: Transaction, moved: MovedMessages): Promise<void> {
    for (const observer of this.observers) await observer.messagesMoved?.(tx, moved);
  }

  async messagesDeleted(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    for (const observer of this.observers) await observer.messagesDeleted?.(tx, messageIds);
  }
}
