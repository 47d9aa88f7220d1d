import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import { TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { FileStore } from '../../platform/files/file-store';
import { AttachmentRowsService } from './attachment-rows.service';
import { storedPath } from './upload-path';
import { UploadSpaceService } from './upload-space.service';
import { attachmentRemoved } from './uploads.events';

/** Removes files once the messages that linked them are gone for good. */
@Injectable()
export class UnlinkedUploadsService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly rows: AttachmentRowsService,
    private readonly space: UploadSpaceService,
    private readonly files: FileStore,
  ) {}

  /** IDs of the attachments that any of the messages links. */
  async linkedBy(db: Queryable, messageIds: readonly number[]): Promise<number[]> {
    const rows = await db.query<{ id: number }>(
      'SELECT DISTINCT attachment_id AS id FROM attachment_message WHERE message_id IN (?)',
      [messageIds],
    );
    return rows.map(({ id }) => id);
  }

  /** Removes those of the attachments that no message links, files included, and tells their owners. */
  async remove(attachmentIds: readonly number[]): Promise<void> {
    if (attachmentIds.length === 0) return;
    const removed = await this.transactions.run(async (tx) => {
      const unlinked = await this.rows.removeUnlinked(tx, attachmentIds);
      for (const { id, ownerId, size } of unlinked) {
        const used = await this.space.change(tx, -size);
        tx.emit(attachmentRemoved({ attachment: { id }, upload_space_used: used }), Audience.of([ownerId]));
      }
      return unlinked;
    });
    for (const { path } of removed) await this.files.delete(storedPath(path));
  }
}
