import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Database } from '../../platform/database/database.service';
import { TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { FileStore } from '../../platform/files/file-store';
import { AttachmentRowsService } from './attachment-rows.service';
import { attachmentWire, type AttachmentWire } from './attachments.wire';
import { storedPath } from './upload-path';
import { InvalidAttachment } from './uploads.errors';
import { attachmentRemoved } from './uploads.events';

/** What people see of the files that they uploaded, and removing them. */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly rows: AttachmentRowsService,
    private readonly files: FileStore,
  ) {}

  /** The caller's own attachments, newest last, and the bytes that those of everybody take. */
  async list(actor: Actor): Promise<{ attachments: AttachmentWire[]; spaceUsed: number }> {
    const db = this.database.read;
    const own = await this.rows.ofOwner(db, actor.userId);
    const messages = await this.rows.linkingMessages(
      db,
      own.map(({ id }) => id),
    );
    const attachments = own.map((attachment) => attachmentWire(attachment, messages.get(attachment.id)));
    return { attachments, spaceUsed: await this.rows.spaceUsed(db) };
  }

  /** Messages that link the file stay as they are; the link leads nowhere then. @throws InvalidAttachment */
  async remove(actor: Actor, attachmentId: number): Promise<void> {
    const { path } = await this.transactions.run(async (tx) => {
      const removed = await this.rows.remove(tx, attachmentId, actor.userId);
      if (!removed) throw new InvalidAttachment();
      const used = await this.rows.changeSpace(tx, -removed.size);
      tx.emit(
        attachmentRemoved({ attachment: { id: attachmentId }, upload_space_used: used }),
        Audience.of([actor.userId]),
      );
      return removed;
    });
    await this.files.delete(storedPath(path));
  }
}
