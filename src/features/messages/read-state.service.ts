import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import type { Transaction } from '../../platform/database/transaction.service';
import { blockOf, ReadSet } from './reading/read-set';

interface BlockRow {
  user_id: number;
  block: number;
  bits: string;
}

/** People whose read state one statement changes. */
const PEOPLE_PER_STATEMENT = 500;

/**
 * What people have read: a watermark each, and above it sets per block of message IDs. Marking many
 * messages costs one row for each block, not one for each message.
 */
@Injectable()
export class ReadStateService {
  /**
   * What a person has read.
   * @param messageIds only blocks with these are loaded; all of them when left out
   */
  async load(db: Queryable, userId: number, messageIds?: readonly number[]): Promise<ReadSet> {
    const watermarks = await this.watermarks(db, [userId]);
    const blocks = messageIds && [...new Set(messageIds.map(blockOf))];
    const rows = blocks
      ? await this.blockRows(db, [userId], blocks)
      : await db.query<BlockRow>('SELECT user_id, block, bits FROM read_block WHERE user_id = ?', [userId]);
    return new ReadSet(watermarks.get(userId) ?? 0, rows.map(toEntry));
  }

  /**
   * Marks messages as read or unread for one person. Permission and events are the caller's.
   * @returns the IDs that changed, in the order given
   */
  async mark(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
    read: boolean,
  ): Promise<number[]> {
    if (messageIds.length === 0) return [];
    await this.lock(tx, [userId]);
    const reads = await this.load(tx, userId, messageIds);
    const changed = reads.mark(messageIds, read);
    await this.store(
      tx,
      reads.changedBlocks().map(([block, bits]) => ({ user_id: userId, block, bits })),
    );
    return changed;
  }

  /** Marks one message as read for several people. */
  async markReadForAll(tx: Transaction, userIds: readonly number[], messageId: number): Promise<void> {
    for (let at = 0; at < userIds.length; at += PEOPLE_PER_STATEMENT) {
      const people = userIds.slice(at, at + PEOPLE_PER_STATEMENT);
      await this.lock(tx, people);
      const watermarks = await this.watermarks(tx, people);
      const stored = await this.blockRows(tx, people, [blockOf(messageId)]);
      const bitsOf = new Map(stored.map((row) => [row.user_id, toEntry(row)]));
      const rows = people.flatMap((userId) => {
        const own = bitsOf.get(userId);
        const reads = new ReadSet(watermarks.get(userId) ?? 0, own ? [own] : []);
        reads.mark([messageId], true);
        return reads.changedBlocks().map(([block, bits]) => ({ user_id: userId, block, bits }));
      });
      await this.store(tx, rows);
    }
  }

  /**
   * The watermark's row stands for all that a person has read: whoever changes any of it locks that row
   * first, since a new block starts from the watermark.
   */
  private async lock(tx: Transaction, userIds: readonly number[]): Promise<void> {
    if (tx.engine === 'sqlite') return;
    await tx.query(
      `INSERT INTO read_watermark (user_id, message_id) SELECT id, 0 FROM account WHERE id IN (?)
       ORDER BY id ON CONFLICT (user_id) DO NOTHING`,
      [userIds],
    );
    await tx.query('SELECT user_id FROM read_watermark WHERE user_id IN (?) ORDER BY user_id FOR UPDATE', [
      userIds,
    ]);
  }

  private async watermarks(db: Queryable, userIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await db.query<{ user_id: number; message_id: number }>(
      'SELECT user_id, message_id FROM read_watermark WHERE user_id IN (?)',
      [userIds],
    );
    return new Map(rows.map((row) => [row.user_id, row.message_id]));
  }

  private blockRows(
    db: Queryable,
    userIds: readonly number[],
    blocks: readonly number[],
  ): Promise<BlockRow[]> {
    return db.query<BlockRow>(
      'SELECT user_id, block, bits FROM read_block WHERE user_id IN (?) AND block IN (?)',
      [userIds, blocks],
    );
  }

  private async store(tx: Transaction, rows: readonly BlockRow[]): Promise<void> {
    for (let at = 0; at < rows.length; at += PEOPLE_PER_STATEMENT) {
      const chunk = rows.slice(at, at + PEOPLE_PER_STATEMENT);
      await tx.query(
        `INSERT INTO read_block (user_id, block, bits) VALUES ${chunk.map(() => '(?, ?, ?)').join(', ')}
         ON CONFLICT (user_id, block) DO UPDATE SET bits = excluded.bits`,
        chunk.flatMap((row) => [row.user_id, row.block, row.bits]),
      );
    }
  }
}

function toEntry(row: BlockRow): readonly [block: number, bits: string] {
  return [row.block, row.bits];
}
