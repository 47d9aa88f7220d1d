import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { MessageScanService, type MessageSelection } from '../scan/message-scan.service';
import { everythingRead, messageFlagAdded } from '../store/message-records.api';
import { ownMessages } from '../scan/candidate-search';
import { condition, isOwn } from '../store/personal-conditions';
import { ReadStateService } from '../readers/read-state.service';

/** A channel, or one of its topics. */
export interface ReadingPlace {
  readonly channelId: number;
  readonly topicId?: number;
}

/** Most messages that one event names. */
const MESSAGES_PER_EVENT = 10_000;

/** Marks many messages as read at a time, and tells the person. */
@Injectable()
export class MarkReadService {
  constructor(
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
  ) {}

  /** Marks as read everything that a person has not read in a channel. */
  async markChannel(tx: Transaction, userId: number, channelId: number): Promise<void> {
    for (let from: number | null = 1; from !== null;) {
      from = await this.markSome(tx, userId, { channelId }, from);
    }
  }

  /**
   * Marks as read what a person has not read in a place, as much as one event may name.
   * @param from message ID from which on to look
   * @returns from where to go on, or null when there is no more
   */
  async markSome(tx: Transaction, userId: number, place: ReadingPlace, from: number): Promise<number | null> {
    await this.readState.lock(tx, userId);
    const unread = await this.scan.collect(
      tx,
      { ...selectionOf(userId, place), reads: { set: await this.readState.load(tx, userId), read: false } },
      { from, direction: 'newer', limit: MESSAGES_PER_EVENT },
    );
    await this.readState.mark(tx, userId, unread, 'read');
    if (unread.length > 0) tx.emit(messageFlagAdded('read', unread), Audience.of([userId]));
    const last = unread[MESSAGES_PER_EVENT - 1];
    return last === undefined ? null : last + 1;
  }

  /** Marks everything as read that there is. Call this before anything else of the transaction. */
  async markAll(tx: Transaction, userId: number): Promise<void> {
    await this.readState.markAll(tx, userId);
    tx.emit(everythingRead(), Audience.of([userId]));
  }

  /** Whether a person has any message of a topic in their history. */
  async hasTopic(db: Queryable, userId: number, place: Required<ReadingPlace>): Promise<boolean> {
    const [any] = await this.scan.collect(db, selectionOf(userId, place), {
      from: Number.MAX_SAFE_INTEGER,
      direction: 'older',
      limit: 1,
    });
    return any !== undefined;
  }
}

function selectionOf(userId: number, { channelId, topicId }: ReadingPlace): MessageSelection {
  return topicId === undefined
    ? { conditions: [condition('m.channel_id = ?', channelId)], search: ownMessages(userId, { channelId }) }
    : { conditions: [condition('m.topic_id = ?', topicId), isOwn(userId)] };
}
