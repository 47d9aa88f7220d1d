import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import type { AccountRecord } from '../users/account.directory';
import type { RenderedMarkdown } from './rendering/rendered-markdown';

/** A message that was just written. */
export interface SentMessage {
  readonly messageId: number;
  readonly sender: AccountRecord;
  readonly rendered: RenderedMarkdown;
}

/**
 * What a higher feature does when messages are sent, such as noting which files they link. Called inside the
 * transaction, after the message's rows and events are written; an error undoes everything.
 */
export interface MessageObserver {
  messageSent(tx: Transaction, message: SentMessage): Promise<void>;
}

/** Where observers of messages register themselves. They are called in the order of registration. */
@Injectable()
export class MessageObserverRegistry implements MessageObserver {
  private readonly observers: MessageObserver[] = [];

  register(observer: MessageObserver): void {
    this.observers.push(observer);
  }

  async messageSent(tx: Transaction, message: SentMessage): Promise<void> {
    for (const observer of this.observers) await observer.messageSent(tx, message);
  }
}
