import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database.service';
import { TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { FileStore } from '../../platform/files/file-store';
import { UploadTooLarge, type UploadedFile } from '../../platform/http/body/uploaded-file';
import type { Attachment } from './attachment.entity';
import { AttachmentRowsService } from './attachment-rows.service';
import { attachmentWire } from './attachments.wire';
import { contentTypeOf } from './file-name';
import { shownName } from './file-name';
import { newUploadPath, storedPath, uploadUrl } from './upload-path';
import { UploadSpaceService } from './upload-space.service';
import { FileTooLarge } from './uploads.errors';
import { attachmentAdded } from './uploads.events';

/** What a person who uploaded a file is told. */
export interface StoredUpload {
  /** Relative to the site, ready for a link. */
  readonly url: string;
  readonly fileName: string;
}

/** Takes files in. Until a message links it, nobody but its owner can read a file. */
@Injectable()
export class UploadService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly files: FileStore,
    private readonly rows: AttachmentRowsService,
    private readonly space: UploadSpaceService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * The file comes first and its row second: a crash between them leaves a file that nothing refers to, and
   * never an attachment without its file.
   * @throws FileTooLarge, OrganizationUploadQuotaExceeded, PersonalUploadQuotaExceeded, ApiError where the form is wrong
   * or breaks off
   */
  async upload(actor: Actor, file: UploadedFile): Promise<StoredUpload> {
    const fileName = shownName(file.fileName);
    const path = newUploadPath(fileName);
    const size = await this.save(actor, path, file);
    try {
      await this.insert({
        ownerId: actor.userId,
        path,
        fileName,
        contentType: contentTypeOf(fileName, file.contentType),
        size,
        createdAt: this.clock.nowMs(),
      });
    } catch (error) {
      await this.files.delete(storedPath(path));
      throw error;
    }
    return { url: uploadUrl(path), fileName };
  }

  /** Reads no more of the file than there is room for. */
  private async save({ userId }: Actor, path: string, file: UploadedFile): Promise<number> {
    const { maxUploadBytes, maxUploadMib } = this.config;
    const room = await this.space.room(this.database.read, userId);
    const maxBytes = Math.min(maxUploadBytes, Math.max(room.bytes, 0));
    try {
      return await this.files.write(storedPath(path), (sink) => file.saveTo(sink, { maxBytes }));
    } catch (error) {
      if (!(error instanceof UploadTooLarge)) throw error;
      throw maxBytes === maxUploadBytes ? new FileTooLarge(maxUploadMib) : room.refusal();
    }
  }

  private insert(attachment: Omit<Attachment, 'id'>): Promise<void> {
    return this.transactions.run(async (tx) => {
      const stored = await this.rows.insert(tx, attachment);
      const used = await this.space.take(tx, attachment.ownerId, attachment.size);
      tx.emit(
        attachmentAdded({ attachment: attachmentWire(stored), upload_space_used: used }),
        Audience.of([attachment.ownerId]),
      );
    });
  }
}
