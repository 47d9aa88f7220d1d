import { Injectable } from '@nestjs/common';
import { chunksOf } from '../../../platform/collections';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { newestWithNoneUnderWay } from '../store/message-order';
import { possibleIds } from '../store/message-rows.service';
import { blockOf, ReadSet, type ReadStatus, type StoredBlock } from '../store/read-set';
import { ReadRowsService } from './read-rows.service';
import { ReadWatermarkService } from './read-watermark.service';

/** People whose read state one statement changes. */
const PEOPLE_PER_STATEMENT = 500;

/**
 * What people have read: a watermark each, and sets per block of message IDs. Marking many messages costs one
 * row for each block, not one for each message.
 */
@Injectable()
export class ReadStateService {
  constructor(
    private readonly rows: ReadRowsService,
    private readonly watermark: ReadWatermarkService,
  ) {}

  /**
   * What a person has read.
   * @param messageIds only blocks with these are loaded; all of them when left out
   */
  load(db: Queryable, userId: number, messageIds?: readonly number[]): Promise<ReadSet> {
    return this.rows.load(db, userId, messageIds && blocksOf(messageIds));
  }

  /** Keeps others from changing what a person has read until the transaction ends. */
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
   * Keeps others from changing what a person has read until the transaction ends.
   * @param messageIds may be any numbers; the messages that {@link markLast} may name
   */
  async lockAndLoad(tx: Transaction, userId: number, messageIds: readonly number[]): Promise<ReadSet> {
    const sets = await this.rows.lockAndLoad(tx, [userId], blocksOf(possibleIds(messageIds)));
    return sets.get(userId) ?? new ReadSet(0);
  }

  /** As {@link mark}, as the last that the transaction has to do with what the person has read. */
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

  /** Marks everything as read that there is. On PostgreSQL, to be called before anything else of the transaction. */
  async markAll(tx: Transaction, userId: number): Promise<void> {
    const newest = await newestWithNoneUnderWay(tx);
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

  /** How many rows marking the messages touches for one person. */
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
