import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { defineJob, type RunningJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { MutedUserDirectory, userMuted } from '../../personal/personal.module';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { ChannelNarrowService } from '../fetching/narrow-operators.service';
import { NarrowService } from '../fetching/narrow.service';
import { ReadStateService } from '../readers/read-state.service';
import { ownMessages } from '../scan/candidate-search';
import { MessageScanService, type MessageSelection } from '../scan/message-scan.service';
import { everythingRead, messageFlagAdded } from '../store/message-records.api';
import { condition, isOwn } from '../store/personal-conditions';

/** A channel, or one of its topics. */
export interface ReadingPlace {
  readonly channelId: number;
  readonly topicId?: number;
}

/** Maximum number of messages in one event. */
const MESSAGES_PER_EVENT = 10_000;

/** Marks many messages as read at a time, and emits the events. */
@Injectable()
export class MarkReadService {
  constructor(
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
  ) {}

  /** Marks all of a person's unread messages in a channel as read. */
  async markChannel(tx: Transaction, userId: number, channelId: number): Promise<void> {
    for (let from: number | null = 1; from !== null;) {
      from = await this.markSome(tx, userId, { channelId }, from);
    }
  }

  /**
   * Marks a person's unread messages in a place as read, up to the limit of one event.
   * @param from the first message ID to consider
   * @returns the ID to continue from, or null if there are no more
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

  /** Marks all existing messages as read. Must be called first in the transaction. */
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

/** Finds messages by their state for one person: starred, muted. */
@Injectable()
export class PersonalMessagesService {
  constructor(
    private readonly scan: MessageScanService,
    private readonly narrows: NarrowService,
    private readonly channels: ChannelNarrowService,
  ) {}

  /** IDs of all messages that `is:starred` matches, ascending; excludes messages that the person can no longer see. */
  async starred(db: Queryable, reader: Reader): Promise<number[]> {
    const selection = await this.narrows.select(db, reader, [
      { operator: 'is', what: 'starred', negated: false },
    ]);
    return this.scan.collect(db, selection, { from: 1, direction: 'newer', limit: Number.MAX_SAFE_INTEGER });
  }

  /** The messages that the reader has muted, except those in followed or unmuted topics of muted channels. */
  async mutedAmong(
    db: Queryable,
    reader: Reader,
    messageIds: readonly number[],
  ): Promise<ReadonlySet<number>> {
    if (messageIds.length === 0) return new Set();
    return new Set(await this.scan.among(db, { conditions: [this.channels.isMuted(reader)] }, messageIds));
  }
}

/** A muted person may have written many messages: this is the limit per transaction. */
const MESSAGES_AT_A_TIME = 1_000;

/** Who muted whom. */
interface ReadMutedSenderJob {
  readonly userId: number;
  readonly mutedUserId: number;
}

/** Marks the messages of the muted person as read. */
const readMutedSender = defineJob<ReadMutedSenderJob>('read_muted_sender');

/** Failed jobs are retried for as long as a request may wait for them. */
const RETRY = { delaysMs: [5_000, 60_000, 600_000], forMs: 7 * 86_400_000 };

const MAX_WORK_MS = 10 * 60_000;

/** Marks the existing messages of a newly muted person as read; later ones are read from the start. */
@Injectable()
export class MutedSendersService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
    private readonly muted: MutedUserDirectory,
    jobs: Jobs,
    hooks: Hooks,
  ) {
    jobs.handle(readMutedSender, {
      work: (job) => this.markAllRead(job),
      retry: RETRY,
      timeoutMs: MAX_WORK_MS,
      concurrency: 4,
      stopsAtOnce: true,
    });
    hooks.on(userMuted, async (tx, userId, mutedUserId) => {
      const id = await jobs.enqueue(tx, { kind: readMutedSender, data: { userId, mutedUserId } });
      // Usually, the request that mutes is answered after the job has finished.
      tx.afterCommit(() => jobs.ended(readMutedSender, id));
    });
  }

  private async markAllRead({ data, signal }: RunningJob<ReadMutedSenderJob>): Promise<void> {
    const { userId, mutedUserId } = data;
    const { background } = this.database;
    const unread = {
      conditions: [condition('m.sender_id = ?', mutedUserId), isOwn(userId)],
      reads: { set: await this.readState.load(background, userId), read: false },
    };
    for (let from = 1; ;) {
      signal.throwIfAborted();
      // They may have been unmuted by now.
      if (!this.muted.mutedBy(userId).has(mutedUserId)) return;
      const limit = MESSAGES_AT_A_TIME;
      const ids = await this.scan.collect(background, unread, { from, direction: 'newer', limit });
      const last = ids.at(-1);
      if (last === undefined) return;
      await this.markRead(userId, ids);
      from = last + 1;
    }
  }

  private async markRead(userId: number, messageIds: readonly number[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      const marked = await this.readState.mark(tx, userId, messageIds, 'read');
      if (marked.length > 0) tx.emit(messageFlagAdded('read', marked), Audience.of([userId]));
    });
  }
}
