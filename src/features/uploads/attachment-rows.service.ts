import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { entityRows } from '../../platform/sql/entity-rows';
import type { Queryable } from '../../platform/sql/queryable';
import type { Transaction } from '../../platform/database/transaction.service';
import { AttachmentMessage, Attachment, AttachmentPicture } from './attachment.entity';

/**
 * Maximum number of messages in an attachment's record: the newest ones, since an image that a bot posts daily has
 * many.
 */
const MESSAGES_PER_RECORD = 1000;

/** A deleted attachment. */
export interface RemovedAttachment extends Attachment {
  /** Its size, including thumbnails. */
  readonly takenBytes: number;
  /** Whether thumbnails were still pending. */
  readonly awaitsThumbnails: boolean;
}

/** The rows of attachments and of their links to messages. Callers check permissions. */
@Injectable()
export class AttachmentRowsService {
  byId(db: Queryable, id: number): Promise<Attachment | null> {
    return db.repository(Attachment).findOneBy({ id });
  }

  byPath(db: Queryable, path: string): Promise<Attachment | null> {
    return db.repository(Attachment).findOneBy({ path });
  }

  byPaths(db: Queryable, paths: readonly string[]): Promise<Attachment[]> {
    return paths.length === 0
      ? Promise.resolve([])
      : entityRows(db, Attachment, 'WHERE path IN (?) ORDER BY id', [paths]);
  }

  /** Newest last. */
  ofOwner(db: Queryable, ownerId: number): Promise<Attachment[]> {
    return entityRows(db, Attachment, 'WHERE owner_id = ? ORDER BY id', [ownerId]);
  }

  /** The attachments with these paths, protected from deletion until the transaction ends. */
  keep(tx: Transaction, paths: readonly string[]): Promise<Attachment[]> {
    const lock = tx.engine === 'postgres' ? 'FOR KEY SHARE' : '';
    return entityRows(tx, Attachment, `WHERE path IN (?) ORDER BY id ${lock}`, [paths]);
  }

  /** Locks an attachment against linking and removal until the transaction ends; null if it is gone. */
  async lock(tx: Transaction, id: number): Promise<Attachment | null> {
    const lock = tx.engine === 'postgres' ? 'FOR UPDATE' : '';
    const [row] = await entityRows(tx, Attachment, `WHERE id = ? ${lock}`, [id]);
    return row ?? null;
  }

  insert(tx: Transaction, attachment: Omit<Attachment, 'id'>): Promise<Attachment> {
    return tx.repository(Attachment).save({ ...attachment });
  }

  /** Deletes a locked attachment and its links. */
  async remove(tx: Transaction, row: Attachment): Promise<RemovedAttachment> {
    await tx.repository(AttachmentMessage).delete({ attachmentId: row.id });
    const [removed] = await this.removeRows(tx, [row]);
    return removed!;
  }

  /**
   * Deletes those of the attachments that no message links.
   * @param heldAmong returns IDs of those that must be kept nevertheless
   */
  async removeUnlinked(
    tx: Transaction,
    attachmentIds: readonly number[],
    heldAmong: (unlinked: readonly Attachment[]) => Promise<ReadonlySet<number>>,
  ): Promise<RemovedAttachment[]> {
    // A transaction that is linking one of them holds its lock; whether it is linked is checked after that has ended.
    if (tx.engine === 'postgres') {
      await tx.query('SELECT id FROM attachment WHERE id IN (?) ORDER BY id FOR UPDATE', [attachmentIds]);
    }
    const unlinked = await entityRows(
      tx,
      Attachment,
      `WHERE id IN (?)
       AND NOT EXISTS (SELECT 1 FROM attachment_message l WHERE l.attachment_id = attachment.id) ORDER BY id`,
      [attachmentIds],
    );
    const held = await heldAmong(unlinked);
    return this.removeRows(
      tx,
      unlinked.filter(({ id }) => !held.has(id)),
    );
  }

  /** Deletes attachments without links. */
  private async removeRows(
    tx: Transaction,
    attachments: readonly Attachment[],
  ): Promise<RemovedAttachment[]> {
    if (attachments.length === 0) return [];
    const ids = attachments.map(({ id }) => id);
    const pictures = await entityRows(tx, AttachmentPicture, 'WHERE attachment_id IN (?)', [ids]);
    const byId = new Map(pictures.map((picture) => [picture.attachmentId, picture]));
    await tx.query('DELETE FROM attachment_picture WHERE attachment_id IN (?)', [ids]);
    await tx.query('DELETE FROM attachment WHERE id IN (?)', [ids]);
    return attachments.map((row) => {
      const picture = byId.get(row.id);
      const takenBytes = row.size + (picture?.bytes ?? 0);
      return { ...row, takenBytes, awaitsThumbnails: picture?.thumbnails === 'waiting' };
    });
  }

  /** The attachments that a message links. */
  linkedBy(db: Queryable, messageId: number): Promise<Attachment[]> {
    return entityRows(
      db,
      Attachment,
      `WHERE id IN (SELECT attachment_id FROM attachment_message WHERE message_id = ?) ORDER BY id`,
      [messageId],
    );
  }

  async link(tx: Transaction, messageId: number, attachmentIds: readonly number[]): Promise<void> {
    if (attachmentIds.length === 0) return;
    await tx.query(
      `INSERT INTO attachment_message (attachment_id, message_id)
       SELECT id, ? FROM attachment WHERE id IN (?)`,
      [messageId, attachmentIds],
    );
  }

  async unlink(tx: Transaction, messageId: number, attachmentIds: readonly number[]): Promise<void> {
    if (attachmentIds.length === 0) return;
    await tx.repository(AttachmentMessage).delete({ messageId, attachmentId: In([...attachmentIds]) });
  }

  /** Deletes all links in the messages. @returns the attachments that they linked */
  async unlinkMessages(tx: Transaction, messageIds: readonly number[]): Promise<Attachment[]> {
    const links = await tx.query<{ id: number }>(
      'DELETE FROM attachment_message WHERE message_id IN (?) RETURNING attachment_id AS id',
      [messageIds],
    );
    if (links.length === 0) return [];
    const ids = [...new Set(links.map(({ id }) => id))];
    return entityRows(tx, Attachment, `WHERE id IN (?) ORDER BY id`, [ids]);
  }

  /** The IDs of the messages that link each of the attachments, ascending. */
  async linkingMessages(db: Queryable, attachmentIds: readonly number[]): Promise<Map<number, number[]>> {
    const links = new Map<number, number[]>(attachmentIds.map((id) => [id, []]));
    if (attachmentIds.length === 0) return links;
    const rows = await db.query<Pick<AttachmentMessage, 'attachmentId' | 'messageId'>>(
      `SELECT attachment_id AS "attachmentId", message_id AS "messageId"
       FROM (SELECT attachment_id, message_id,
               ROW_NUMBER() OVER (PARTITION BY attachment_id ORDER BY message_id DESC) AS place
             FROM attachment_message WHERE attachment_id IN (?)) newest
       WHERE place <= ? ORDER BY attachment_id, message_id`,
      [attachmentIds, MESSAGES_PER_RECORD],
    );
    for (const { attachmentId, messageId } of rows) links.get(attachmentId)?.push(messageId);
    return links;
  }
}
