import { Injectable } from '@nestjs/common';
import { filesOf } from './attachment-pictures.service';
import { AttachmentRowsService, type RemovedAttachment } from './attachment-rows.service';
import type { Attachment } from './attachment.entity';
import { UploadSpaceService } from './upload-space.service';
import {
  AttachmentHeld,
  attachmentRemoved,
  attachmentWire,
  type AttachmentWire,
  InvalidAttachment,
} from './uploads.api';
import { fileHoldsPort, picturesSettled } from './uploads.hooks';
import type { Actor } from '../../platform/actor';
import { Database } from '../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { FileStore } from '../../platform/files/file-store';
import { Hooks } from '../../platform/hooks/hooks';
import type { Queryable } from '../../platform/sql/queryable';
import { contentErased, personalDataRemoved } from '../users/users.module';

/** The caller's attachments, and the space used, in bytes. */
interface OwnAttachments {
  readonly attachments: AttachmentWire[];
  readonly spaceUsed: number;
  /** By the person and their bots. */
  readonly ownSpaceUsed: number;
}

/** Lists and deletes the files that people uploaded. */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly rows: AttachmentRowsService,
    private readonly space: UploadSpaceService,
    private readonly files: FileStore,
    private readonly hooks: Hooks,
  ) {
    hooks.on(contentErased, async (tx, userId, limit) => ({
      files: await this.eraseSome(tx, userId, limit),
    }));
  }

  /** The caller's own attachments, newest last, and the bytes used by everyone and by the person. */
  async list(actor: Actor): Promise<OwnAttachments> {
    const db = this.database.read;
    const own = await this.rows.ofOwner(db, actor.userId);
    const messages = await this.rows.linkingMessages(
      db,
      own.map(({ id }) => id),
    );
    const attachments = own.map((attachment) => attachmentWire(attachment, messages.get(attachment.id)));
    return {
      attachments,
      spaceUsed: await this.space.total(db),
      ownSpaceUsed: await this.space.ofPerson(db, actor.userId),
    };
  }

  /**
   * Deletes a file. Messages that link it are not changed; the link no longer works. @throws InvalidAttachment,
   * AttachmentHeld
   */
  async remove(actor: Actor, attachmentId: number): Promise<void> {
    const { path } = await this.transactions.run(async (tx) => {
      const holds = this.hooks.provider(fileHoldsPort);
      await holds?.settle(tx);
      // From here on, no message can link it.
      const row = await this.rows.lock(tx, attachmentId);
      if (row?.ownerId !== actor.userId) throw new InvalidAttachment();
      if ((await holds?.heldAmong(tx, [row]))?.has(row.id)) throw new AttachmentHeld();
      return this.removeRow(tx, row);
    });
    for (const file of filesOf(path)) await this.files.delete(file);
  }

  /** Deletes files of a person, linked or not. @returns how many @throws AttachmentHeld */
  private async eraseSome(tx: Transaction, userId: number, limit: number): Promise<number> {
    const own = (await this.rows.ofOwner(tx, userId)).slice(0, limit);
    const held = await this.hooks.provider(fileHoldsPort)?.heldAmong(tx, own);
    if (held && held.size > 0) throw new AttachmentHeld();
    for (const { id } of own) {
      const row = await this.rows.lock(tx, id);
      if (!row) continue;
      // Before the commit: if the process dies, rows remain that the next attempt finds, rather than files.
      for (const file of filesOf(row.path)) await this.files.delete(file);
      await this.removeRow(tx, row);
    }
    return own.length;
  }

  private async removeRow(tx: Transaction, row: Attachment): Promise<RemovedAttachment> {
    const { id, ownerId } = row;
    const linked = await this.rows.linkingMessages(tx, [id]);
    const removed = await this.rows.remove(tx, row);
    if (removed.awaitsThumbnails) {
      await this.hooks.run(picturesSettled, tx, { messageIds: linked.get(id) ?? [] });
    }
    const used = await this.space.giveBack(tx, ownerId, removed.takenBytes);
    tx.emit(attachmentRemoved({ attachment: { id }, upload_space_used: used }), Audience.of([ownerId]));
    return removed;
  }
}

/** Finds files that no message links any more, and deletes them once those messages are deleted permanently. */
@Injectable()
export class UnlinkedUploadsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly rows: AttachmentRowsService,
    private readonly space: UploadSpaceService,
    private readonly files: FileStore,
    private readonly hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, (tx, userId) => this.removeUnlinkedOf(tx, userId));
  }

  /** The attachments that a message links. */
  linkedBy(db: Queryable, messageId: number): Promise<Attachment[]> {
    return this.rows.linkedBy(db, messageId);
  }

  /** Filters attachments down to those that belong to a person and that no message links. */
  async unlinkedAmong(
    db: Queryable,
    attachments: readonly Attachment[],
    ownerId: number,
  ): Promise<AttachmentWire[]> {
    const own = attachments.filter((attachment) => attachment.ownerId === ownerId);
    const messages = await this.rows.linkingMessages(
      db,
      own.map(({ id }) => id),
    );
    return own
      .filter(({ id }) => messages.get(id)?.length === 0)
      .map((attachment) => attachmentWire(attachment));
  }

  /** IDs of the attachments that any of the messages links. */
  async linkedByAny(db: Queryable, messageIds: readonly number[]): Promise<number[]> {
    const rows = await db.query<{ id: number }>(
      'SELECT DISTINCT attachment_id AS id FROM attachment_message WHERE message_id IN (?)',
      [messageIds],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Deletes those of the attachments that no message links or needs, including files, and emits that to their owners.
   */
  async remove(attachmentIds: readonly number[]): Promise<void> {
    if (attachmentIds.length === 0) return;
    const removed = await this.transactions.run(async (tx) => {
      await this.hooks.provider(fileHoldsPort)?.settle(tx);
      const unlinked = await this.removeUnlinked(tx, attachmentIds);
      for (const { id, ownerId, takenBytes } of unlinked) {
        const used = await this.space.giveBack(tx, ownerId, takenBytes);
        tx.emit(attachmentRemoved({ attachment: { id }, upload_space_used: used }), Audience.of([ownerId]));
      }
      return unlinked;
    });
    await this.removeFiles(removed);
  }

  /** Deletes a deleted person's unlinked files: nobody else can read them. */
  private async removeUnlinkedOf(tx: Transaction, userId: number): Promise<void> {
    const own = await this.rows.ofOwner(tx, userId);
    if (own.length === 0) return;
    const removed = await this.removeUnlinked(
      tx,
      own.map(({ id }) => id),
    );
    const bytes = removed.reduce((sum, { takenBytes }) => sum + takenBytes, 0);
    if (bytes > 0) await this.space.giveBack(tx, userId, bytes);
    tx.afterCommit(() => this.removeFiles(removed));
  }

  private removeUnlinked(tx: Transaction, attachmentIds: readonly number[]): Promise<RemovedAttachment[]> {
    const holds = this.hooks.provider(fileHoldsPort);
    return this.rows.removeUnlinked(
      tx,
      attachmentIds,
      async (unlinked) => (await holds?.heldAmong(tx, unlinked)) ?? new Set(),
    );
  }

  private async removeFiles(removed: readonly Attachment[]): Promise<void> {
    for (const file of removed.flatMap(({ path }) => filesOf(path))) await this.files.delete(file);
  }
}
