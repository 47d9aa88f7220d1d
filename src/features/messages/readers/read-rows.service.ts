import { Injectable } from '@nestjs/common';
import { chunksOf } from '../../../platform/collections';
import type { Queryable, Statement } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved } from '../../users/users.module';
import { ReadBlock, ReadWatermark } from '../store/message.entity';
import { ReadSet, type StoredBlock } from '../store/read-set';

interface StateRow {
  readonly user_id: number;
  readonly watermark: number | null;
  readonly block: number | null;
  readonly bits: string | null;
}

/** A block of one person. */
interface BlockOf {
  readonly userId: number;
  readonly block: StoredBlock;
}

/** Rows written by one statement. */
const ROWS_PER_STATEMENT = 500;

/**
 * The tables of what people have read. Watermark and blocks are meaningful only together, so one statement reads both:
 * another transaction may be moving the watermark and dropping blocks.
 */
@Injectable()
export class ReadRowsService {
  constructor(hooks: Hooks) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(ReadBlock).delete({ userId });
      await tx.repository(ReadWatermark).delete({ userId });
    });
  }

  /** What a person has read. @param blocks the blocks to load; all by default */
  async load(db: Queryable, userId: number, blocks?: readonly number[]): Promise<ReadSet> {
    return only(userId, await this.read(db, [userId], blocks));
  }

  /**
   * Like `load`, for several people, whose read state stays locked until the transaction ends. The watermark's row is
   * the lock for all of it, since a new block starts from the watermark.
   */
  async lockAndLoad(
    tx: Transaction,
    userIds: readonly number[],
    blocks: readonly number[],
  ): Promise<ReadonlyMap<number, ReadSet>> {
    // Both are sent without waiting; the rows read are valid if all the rows to lock existed.
    const [areLocked, rows] = await Promise.all([
      this.lockExisting(tx, userIds),
      this.read(tx, userIds, blocks),
    ]);
    if (areLocked) return toSets(rows);
    await this.lock(tx, userIds);
    return toSets(await this.read(tx, userIds, blocks));
  }

  async lock(tx: Transaction, userIds: readonly number[]): Promise<void> {
    if (await this.lockExisting(tx, userIds)) return;
    await tx.query(
      `INSERT INTO read_watermark (user_id, message_id) SELECT id, 0 FROM account WHERE id IN (?)
       ORDER BY id ON CONFLICT (user_id) DO NOTHING`,
      [userIds],
    );
    await this.lockExisting(tx, userIds);
  }

  /** @returns whether everyone has a row */
  private async lockExisting(tx: Transaction, userIds: readonly number[]): Promise<boolean> {
    if (tx.engine === 'sqlite') return true;
    const rows = await tx.query(
      'SELECT user_id FROM read_watermark WHERE user_id IN (?) ORDER BY user_id FOR UPDATE',
      [userIds],
    );
    return rows.length === userIds.length;
  }

  async store(tx: Transaction, blocks: readonly BlockOf[]): Promise<void> {
    for (const { sql, parameters } of storing(blocks)) await tx.query(sql, parameters);
  }

  /** Stores blocks at the end of the transaction, after the last read of them. */
  storeAtEnd(tx: Transaction, blocks: readonly BlockOf[]): void {
    for (const { sql, parameters } of storing(blocks)) tx.atEnd(sql, parameters);
  }

  /** Moves the watermark of a person whose row is locked. */
  async moveWatermark(tx: Transaction, userId: number, messageId: number): Promise<void> {
    await tx.query(
      `INSERT INTO read_watermark (user_id, message_id) VALUES (?, ?)
       ON CONFLICT (user_id) DO UPDATE SET message_id = excluded.message_id`,
      [userId, messageId],
    );
  }

  /** Deletes a person's blocks from `first` to `last`, inclusive. */
  async drop(tx: Transaction, userId: number, first: number, last: number): Promise<void> {
    await tx.query('DELETE FROM read_block WHERE user_id = ? AND block BETWEEN ? AND ?', [
      userId,
      first,
      last,
    ]);
  }

  private read(db: Queryable, userIds: readonly number[], blocks?: readonly number[]): Promise<StateRow[]> {
    return db.query<StateRow>(
      // Not a join: a plan prepared for any number of people would read the watermarks of all.
      `SELECT a.id AS user_id, (SELECT message_id FROM read_watermark w WHERE w.user_id = a.id) AS watermark,
         b.block, b.bits FROM account a
       LEFT JOIN read_block b ON b.user_id = a.id ${blocks ? 'AND b.block IN (?)' : ''}
       WHERE a.id IN (?)`,
      [...(blocks ? [blocks] : []), userIds],
    );
  }
}

function storing(blocks: readonly BlockOf[]): Statement[] {
  return [...chunksOf(blocks, ROWS_PER_STATEMENT)].map((chunk) => ({
    sql: `INSERT INTO read_block (user_id, block, bits) VALUES ${chunk.map(() => '(?, ?, ?)').join(', ')}
          ON CONFLICT (user_id, block) DO UPDATE SET bits = excluded.bits`,
    parameters: chunk.flatMap(({ userId, block }) => [userId, ...block]),
  }));
}

function toSets(rows: readonly StateRow[]): Map<number, ReadSet> {
  const parts = new Map<number, { watermark: number; blocks: StoredBlock[] }>();
  for (const { user_id: userId, watermark, block, bits } of rows) {
    const part = parts.get(userId) ?? { watermark: watermark ?? 0, blocks: [] };
    if (block !== null && bits !== null) part.blocks.push([block, bits]);
    parts.set(userId, part);
  }
  return new Map(
    [...parts].map(([userId, { watermark, blocks }]) => [userId, new ReadSet(watermark, blocks)]),
  );
}

function only(userId: number, rows: readonly StateRow[]): ReadSet {
  return toSets(rows).get(userId) ?? new ReadSet(0);
}
