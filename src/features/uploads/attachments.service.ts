import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Database } from '../../platform/database/database.service';
import { TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { FileStore } from '../../platform/files/file-store';
import { Hooks } from '../../platform/hooks/hooks';
import { AttachmentRowsService } from './attachment-rows.service';
import { attachmentRemoved, attachmentWire, type AttachmentWire, InvalidAttachment } from './uploads.api';
import { filesOf } from './thumbnail-files';
import { UploadSpaceService } from './upload-space.service';
import { picturesSettled } from './uploads.hooks';

/** The caller's attachments, and bytes that are in use. */
interface OwnAttachments {
  readonly attachments: AttachmentWire[];
  readonly spaceUsed: number;
  /** By the person and their bots. */
  readonly ownSpaceUsed: number;
}

/** What people see of the files that they uploaded, and removing them. */
@Injectable()
export class AttachmentsService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly rows: AttachmentRowsService,
    private readonly space: UploadSpaceService,
    private readonly files: FileStore,
    private readonly hooks: Hooks,
  ) {}

  /** The caller's own attachments, newest last, and the bytes that those of everybody and those of the person take. */
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

  /** Messages that link the file stay as they are; the link leads nowhere then. @throws InvalidAttachment */
  async remove(actor: Actor, attachmentId: number): Promise<void> {
    const { path } = await this.transactions.run(async (tx) => {
      // No message comes to link it from here on.
      await this.rows.lock(tx, attachmentId);
      const linked = await this.rows.linkingMessages(tx, [attachmentId]);
      const removed = await this.rows.remove(tx, attachmentId, actor.userId);
      if (!removed) throw new InvalidAttachment();
      if (removed.awaitsThumbnails) {
        await this.hooks.run(picturesSettled, tx, { messageIds: linked.get(attachmentId) ?? [] });
      }
      const used = await this.space.giveBack(tx, actor.userId, removed.takenBytes);
      tx.emit(
        attachmentRemoved({ attachment: { id: attachmentId }, upload_space_used: used }),
        Audience.of([actor.userId]),
      );
      return removed;
    });
    for (const file of filesOf(path)) await this.files.delete(file);
  }
}
