import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { NoSuchUnfinishedUpload } from '../uploads.api';
import type { ArrivedBytes } from '../upload-space.service';
import { UnfinishedUpload } from './unfinished-upload.entity';

/** Tells these advisory locks from others; the second number is the ID of the person. */
const UNFINISHED_LOCK = 7_275_276;

/** Where the file store keeps a piece. */
export function piecePath(piece: string): string {
  return `unfinished/${piece.slice(0, 2)}/${piece}`;
}

/** Where the file store keeps what has arrived of a file, first to last. */
export function piecePaths({ pieces }: Pick<UnfinishedUpload, 'pieces'>): string[] {
  return pieces === '' ? [] : pieces.split(',').map(piecePath);
}

/** The rows of files that arrive piece by piece. */
@Injectable()
export class UnfinishedRowsService {
  /**
   * @throws NoSuchUnfinishedUpload, also for an upload of another user
   *
   */
  async own(db: Queryable, ownerId: number, id: string): Promise<UnfinishedUpload> {
    const [row] = await entityRows(db, UnfinishedUpload, 'WHERE id = ? AND owner_id = ?', [id, ownerId]);
    if (!row) throw new NoSuchUnfinishedUpload();
    return row;
  }

  /**
   * Those of a person's accounts, the least recently touched first.
   * @param personId one of them; until the transaction ends no other one lists or adds uploads of the person
   */
  async lockAll(tx: Transaction, personId: number, ownerIds: readonly number[]): Promise<UnfinishedUpload[]> {
    if (tx.engine === 'postgres') {
      await tx.query(`SELECT pg_advisory_xact_lock(${UNFINISHED_LOCK}, ?)`, [personId]);
    }
    return entityRows(tx, UnfinishedUpload, 'WHERE owner_id IN (?) ORDER BY touched_at, id', [ownerIds]);
  }

  /** How many bytes have arrived of unfinished uploads, of all and of some accounts. */
  async arrived(db: Queryable, ownerIds: readonly number[]): Promise<ArrivedBytes> {
    const { everybody, own } = await db.queryOne<{ everybody: number | string; own: number | string }>(
      `SELECT COALESCE(SUM(received), 0) AS everybody,
         COALESCE(SUM(CASE WHEN owner_id IN (?) THEN received ELSE 0 END), 0) AS own FROM unfinished_upload`,
      [ownerIds],
    );
    return { ofAll: Number(everybody), ofPerson: Number(own) };
  }

  async insert(tx: Transaction, upload: UnfinishedUpload): Promise<void> {
    await tx.repository(UnfinishedUpload).insert(upload);
  }

  /**
   * Notes that one more piece is here.
   * @returns whether it was the next: another node may have been quicker
   */
  async grow(tx: Transaction, before: UnfinishedUpload, grown: UnfinishedUpload): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE unfinished_upload SET pieces = ?, received = ?, touched_at = ?
       WHERE id = ? AND received = ? RETURNING id`,
      [grown.pieces, grown.received, grown.touchedAt, before.id, before.received],
    );
    return rows.length > 0;
  }

  /** Removes the row unless more data arrived. @returns whether it did */
  async remove(tx: Transaction, { id, received }: UnfinishedUpload): Promise<boolean> {
    const rows = await tx.query('DELETE FROM unfinished_upload WHERE id = ? AND received = ? RETURNING id', [
      id,
      received,
    ]);
    return rows.length > 0;
  }

  /** Removes rows, even if more data arrived. @returns what they were */
  async removeAll(
    tx: Transaction,
    condition: 'owner_id = ?' | 'touched_at < ?',
    value: number,
  ): Promise<UnfinishedUpload[]> {
    const rows = await entityRows(tx, UnfinishedUpload, `WHERE ${condition} ORDER BY id`, [value]);
    const removed: UnfinishedUpload[] = [];
    for (const row of rows) if (await this.remove(tx, row)) removed.push(row);
    return removed;
  }
}
