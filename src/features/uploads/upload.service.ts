import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { FileStore } from '../../platform/files/file-store';
import { UploadedFile, UploadTooLarge } from '../../platform/http/body/uploaded-file';
import type { Attachment } from './attachment.entity';
import { AttachmentPicturesService } from './attachment-pictures.service';
import { AttachmentRowsService } from './attachment-rows.service';
import { attachmentAdded, attachmentWire, FileTooLarge } from './uploads.api';
import { contentTypeOf, newUploadPath, shownName, storedPath, uploadUrl } from './upload-path';
import { UploadSpaceService } from './upload-space.service';

/** The response to an upload. */
export interface StoredUpload {
  /** Relative to the site, for use in a link. */
  readonly url: string;
  readonly fileName: string;
}

/** Work to do in the same transaction. */
type Alongside = (tx: Transaction) => Promise<void>;

/** Stores files. Until a message links a file, only its owner can read it. */
@Injectable()
export class UploadService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly files: FileStore,
    private readonly rows: AttachmentRowsService,
    private readonly space: UploadSpaceService,
    private readonly pictures: AttachmentPicturesService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws FileTooLarge, OrganizationUploadQuotaExceeded, PersonalUploadQuotaExceeded, ApiError where the form is wrong
   * or breaks off
   */
  upload(actor: Actor, file: UploadedFile): Promise<StoredUpload> {
    return this.store(actor, file, (path) => this.save(actor, path, file));
  }

  /** Like `upload`, for a file in memory, such as a mail attachment; with the same errors. */
  uploadBytes(
    actor: Actor,
    sent: Pick<UploadedFile, 'fileName' | 'contentType'>,
    content: Buffer,
  ): Promise<StoredUpload> {
    const file = new UploadedFile(
      sent.fileName,
      sent.contentType,
      Readable.from([content]),
      Promise.resolve(),
    );
    return this.upload(actor, file);
  }

  /**
   * Stores the file first and its row second: a crash in between leaves a file that nothing refers to, and never an
   * attachment without its file.
   * @param save stores the file for the path of an upload, and returns its size in bytes
   * @param alongside work to do in the same transaction
   * @throws OrganizationUploadQuotaExceeded, PersonalUploadQuotaExceeded
   */
  async store(
    { userId }: Pick<Actor, 'userId'>,
    sent: Pick<UploadedFile, 'fileName' | 'contentType'>,
    save: (path: string) => Promise<number>,
    alongside: Alongside = async () => undefined,
  ): Promise<StoredUpload> {
    const fileName = shownName(sent.fileName);
    const path = newUploadPath(fileName);
    const size = await save(path);
    const contentType = contentTypeOf(fileName, sent.contentType);
    const createdAt = this.clock.nowMs();
    try {
      await this.insert({ ownerId: userId, path, fileName, contentType, size, createdAt }, alongside);
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

  private async insert(attachment: Omit<Attachment, 'id'>, alongside: Alongside): Promise<void> {
    const facts = this.pictures.isCandidate(attachment) ? await this.pictures.examine(attachment) : null;
    await this.transactions.run(async (tx) => {
      await alongside(tx);
      const stored = await this.rows.insert(tx, attachment);
      if (facts) await this.pictures.note(tx, stored, facts);
      const used = await this.space.take(tx, attachment.ownerId, attachment.size);
      tx.emit(
        attachmentAdded({ attachment: attachmentWire(stored), upload_space_used: used }),
        Audience.of([attachment.ownerId]),
      );
    });
  }
}
