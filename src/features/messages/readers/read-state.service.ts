import { Injectable } from '@nestjs/common';
import { ReadRowsService } from './read-rows.service';
import { chunksOf } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { ownMessages } from '../scan/candidate-search';
import { MessageScanService } from '../scan/message-scan.service';
import { newestMessageId, newestSettledMessage } from '../store/personal-conditions';
import { possibleIds } from '../store/message-rows.service';
import {
  BLOCK_SIZE,
  blockOf,
  blocksWithUnread,
  ReadSet,
  type ReadStatus,
  type StoredBlock,
} from '../store/read-set';

/** A message ID, and a transaction number that was still unused when this was the newest message. */
interface Horizon {
  readonly messageId: number;
  readonly nextTransaction: bigint;
}

interface SnapshotRow {
  readonly newest: number;
  readonly oldest_open: string;
  readonly next: string;
}

/**
 * Finds an ID up to which no further message will appear, without waiting for anyone. On PostgreSQL a message that is
 * being sent has an ID but is not visible yet (see NEXT_MESSAGE_ID); its transaction gets its number before the message
 * gets its ID, since it locks the topic or conversation first. So once all transactions have ended that were open when
 * some message was the newest, everything up to that message is either visible or will never be.
 */
@Injectable()
export class SettledMessagesService {
  private settledId = 0;
  private awaited: Horizon | null = null;

  /** On PostgreSQL, lags behind the newest message by what was sent since the previous call. */
  async newest(db: Queryable): Promise<number> {
    if (db.engine === 'sqlite') return newestMessageId(db);
    const [row] = await db.query<SnapshotRow>(
      `SELECT COALESCE((SELECT MAX(id) FROM message), 0) AS newest,
         pg_snapshot_xmin(pg_current_snapshot())::text AS oldest_open,
         pg_snapshot_xmax(pg_current_snapshot())::text AS next`,
    );
    const { newest, oldest_open: oldestOpen, next } = row as SnapshotRow;
    if (this.awaited && BigInt(oldestOpen) >= this.awaited.nextTransaction) {
      this.settledId = Math.max(this.settledId, this.awaited.messageId);
      this.awaited = null;
    }
    this.awaited ??= { messageId: newest, nextTransaction: BigInt(next) };
    return this.settledId;
  }
}

/** The number of blocks above the watermark that makes moving it worthwhile. */
const MANY_BLOCKS = 16;

/** Maximum number of unread messages to look up to move the watermark past them. */
const MAX_UNREAD = 20_000;

/**
 * Advances people's watermarks as they read, so that their blocks do not pile up: below the watermark there are blocks
 * only for messages that are really unread. Each range of messages is checked once.
 */
@Injectable()
export class ReadWatermarkService {
  constructor(
    private readonly rows: ReadRowsService,
    private readonly scan: MessageScanService,
    private readonly settled: SettledMessagesService,
  ) {}

  /**
   * Moves the watermark of a person whose row is locked, each time that many more blocks are above it. It passes
   * messages that the person has read or never received, and unread ones that a block records; never a message that may
   * still appear.
   * @param newBlocks the number of blocks just added
   */
  async advance(tx: Transaction, userId: number, newBlocks: number): Promise<void> {
    if (newBlocks === 0) return;
    // Called each time, since each call returns what the previous one found.
    const settled = await this.settled.newest(tx);
    const reads = await this.rows.load(tx, userId);
    const first = blockOf(reads.watermark + 1);
    const stored = reads.storedFrom(first);
    if (stepsIn(stored.length) === stepsIn(stored.length - newBlocks)) return;
    // Nothing beyond the last stored block has been read, so moving further would gain nothing.
    const last = Math.min(stored.at(-1) ?? 0, lastWholeBlock(settled));
    if (last - first < MANY_BLOCKS / 2) return;
    const unread = await this.scan.collect(
      tx,
      { conditions: [], search: ownMessages(userId), reads: { set: reads, read: false } },
      {
        from: first * BLOCK_SIZE,
        to: (last + 1) * BLOCK_SIZE - 1,
        direction: 'newer',
        limit: MAX_UNREAD,
      },
    );
    const farthest = unread[MAX_UNREAD - 1];
    const reached = farthest === undefined ? last : lastWholeBlock(farthest);
    if (reached < first) return;
    await this.rows.moveWatermark(tx, userId, (reached + 1) * BLOCK_SIZE - 1);
    await this.rows.drop(tx, userId, first, reached);
    const blocks = blocksWithUnread(unread.filter((id) => blockOf(id) <= reached));
    await this.rows.store(
      tx,
      blocks.map((block) => ({ userId, block })),
    );
  }
}

function stepsIn(blocks: number): number {
  return Math.floor(blocks / MANY_BLOCKS);
}

/** The last block whose IDs are all at or below the given one. */
function lastWholeBlock(messageId: number): number {
  return blockOf(messageId + 1) - 1;
}

/** Maximum number of people whose read state one statement changes. */
const PEOPLE_PER_STATEMENT = 500;

/**
 * What people have read: a watermark for each person, and sets of read message IDs by block. Marking many messages
 * costs one row per block, not per message.
 */
@Injectable()
export class ReadStateService {
  constructor(
    private readonly rows: ReadRowsService,
    private readonly watermark: ReadWatermarkService,
  ) {}

  /**
   * What a person has read.
   * @param messageIds only blocks with these are loaded; all by default
   */
  load(db: Queryable, userId: number, messageIds?: readonly number[]): Promise<ReadSet> {
    return this.rows.load(db, userId, messageIds && blocksOf(messageIds));
  }

  /** Locks a person's read state until the transaction ends. */
  lock(tx: Transaction, userId: number): Promise<void> {
    return this.rows.lock(tx, [userId]);
  }

  /**
   * Marks messages as read or unread for one person. Callers check permission and emit events.
   * @returns the IDs that changed, in the order given
   */
  async mark(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
    status: ReadStatus,
  ): Promise<number[]> {
    if (messageIds.length === 0) return [];
    const reads = await this.lockAndLoad(tx, userId, messageIds);
    const changed = reads.mark(messageIds, status);
    await this.rows.store(tx, changedBlocks(userId, reads));
    await this.watermark.advance(tx, userId, reads.newBlocks);
    return changed;
  }

  /**
   * Locks and loads a person's read state until the transaction ends.
   * @param messageIds any numbers; the messages that may be passed to {@link markLast}
   */
  async lockAndLoad(tx: Transaction, userId: number, messageIds: readonly number[]): Promise<ReadSet> {
    const sets = await this.rows.lockAndLoad(tx, [userId], blocksOf(possibleIds(messageIds)));
    return sets.get(userId) ?? new ReadSet(0);
  }

  /** Like {@link mark}, as the transaction's last use of the person's read state. */
  async markLast(
    tx: Transaction,
    userId: number,
    reads: ReadSet,
    messageIds: readonly number[],
    status: ReadStatus,
  ): Promise<number[]> {
    const changed = reads.mark(messageIds, status);
    const blocks = changedBlocks(userId, reads);
    if (reads.newBlocks === 0) {
      this.rows.storeAtEnd(tx, blocks);
    } else {
      await this.rows.store(tx, blocks);
      await this.watermark.advance(tx, userId, reads.newBlocks);
    }
    return changed;
  }

  /** Marks all existing messages as read. On PostgreSQL, must be the first statement of the transaction. */
  async markAll(tx: Transaction, userId: number): Promise<void> {
    const newest = await newestSettledMessage(tx);
    await this.rows.lock(tx, [userId]);
    await this.rows.moveWatermark(tx, userId, newest);
    await this.rows.drop(tx, userId, 0, blockOf(newest));
  }

  /**
   * Marks messages as read for several people.
   * @returns by user ID, the IDs that changed
   */
  async markReadForAll(
    tx: Transaction,
    userIds: readonly number[],
    messageIds: readonly number[],
  ): Promise<Map<number, number[]>> {
    const altered = new Map<number, number[]>();
    for (const people of chunksOf(userIds, PEOPLE_PER_STATEMENT)) {
      const sets = await this.rows.lockAndLoad(tx, people, blocksOf(messageIds));
      const changed = [...sets].flatMap(([userId, reads]) => {
        altered.set(userId, reads.mark(messageIds, 'read'));
        return changedBlocks(userId, reads);
      });
      await this.rows.store(tx, changed);
    }
    return altered;
  }

  /** How many rows marking the messages changes for one person. */
  countRows(messageIds: readonly number[]): number {
    return blocksOf(messageIds).length;
  }
}

function changedBlocks(userId: number, reads: ReadSet): { userId: number; block: StoredBlock }[] {
  return reads.changedBlocks().map((block) => ({ userId, block }));
}

function blocksOf(messageIds: readonly number[]): number[] {
  return [...new Set(messageIds.map(blockOf))];
}
