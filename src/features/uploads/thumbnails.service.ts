import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { FileStore } from '../../platform/files/file-store';
import { Hooks } from '../../platform/hooks/hooks';
import { Jobs } from '../../platform/jobs/jobs.service';
import { Pictures } from '../../platform/pictures/pictures';
import { BadImage } from '../../platform/pictures/pictures.errors';
import { AccountDirectory } from '../users/users.module';
import type { Attachment, AttachmentPicture } from './attachment.entity';
import { AttachmentPicturesService, makeThumbnailsOf } from './attachment-pictures.service';
import { AttachmentRowsService } from './attachment-rows.service';
import { attachmentUpdated, attachmentWire, UploadQuotaExceeded } from './uploads.api';
import { type ThumbnailKind, thumbnailPath, thumbnailRecipe } from './thumbnail-files';
import { storedPath } from './upload-path';
import { UploadSpaceService } from './upload-space.service';
import { picturesSettled } from './uploads.hooks';

const RETRY = { delaysMs: [2_000, 30_000, 300_000] };
const MAX_WORK_MS = 120_000;

/**
 * Makes smaller versions of pictures after they were uploaded. They count as uploads of the person. Where they cannot be
 * made, or there is no room for them, the picture is shown as it is.
 */
@Injectable()
export class ThumbnailsService {
  /** What this node makes now, by the ID of the attachment. */
  private readonly underWay = new Map<number, Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly rows: AttachmentRowsService,
    private readonly known: AttachmentPicturesService,
    private readonly space: UploadSpaceService,
    private readonly files: FileStore,
    private readonly pictures: Pictures,
    private readonly accounts: AccountDirectory,
    private readonly hooks: Hooks,
    jobs: Jobs,
  ) {
    jobs.handle(makeThumbnailsOf, {
      work: ({ data }) => this.make(data.attachmentId),
      failed: async ({ data }) => {
        await this.settle(data.attachmentId, null);
      },
      retry: RETRY,
      timeoutMs: MAX_WORK_MS,
      // One after the other, so that a user with a thousand uploads does not delay everyone else.
      concurrency: 2,
      groupConcurrency: 1,
    });
  }

  /** Resolves once the smaller versions are there, or are not to be had. @throws ServerBusy */
  make(attachmentId: number): Promise<void> {
    const begun = this.underWay.get(attachmentId);
    if (begun) return begun;
    const work = this.begin(attachmentId).finally(() => this.underWay.delete(attachmentId));
    this.underWay.set(attachmentId, work);
    return work;
  }

  private async begin(attachmentId: number): Promise<void> {
    const db = this.database.read;
    const attachment = await this.rows.byId(db, attachmentId);
    const picture = (await this.known.of(db, [attachmentId])).get(attachmentId);
    if (!attachment || picture?.thumbnails !== 'waiting') return;
    const made = await this.versionsOf(attachment, picture);
    if (made === null) return void (await this.settle(attachmentId, null));
    for (const [kind, content] of made) await this.files.save(thumbnailPath(attachment.path, kind), content);
    const isKept = await this.settle(attachmentId, made).catch(async (error: unknown) => {
      if (!(error instanceof UploadQuotaExceeded)) throw error;
      await this.settle(attachmentId, null);
      return false;
    });
    if (!isKept) await this.discard(attachment, made);
  }

  /** Null where the file cannot be decoded. */
  private async versionsOf(
    { ownerId, path }: Attachment,
    picture: AttachmentPicture,
  ): Promise<Map<ThumbnailKind, Buffer> | null> {
    const person = this.accounts.personBehind(ownerId);
    try {
      const made = await this.files.lend(storedPath(path), (file) =>
        this.pictures.makeOfFile(person, file, thumbnailRecipe(picture)),
      );
      const entries = Object.entries(made) as [ThumbnailKind, Buffer | null][];
      return new Map(entries.flatMap(([kind, content]) => (content ? [[kind, content]] : [])));
    } catch (error) {
      if (error instanceof BadImage) return null;
      throw error;
    }
  }

  /** @returns whether the versions are kept: not if the file is gone. @throws the refusals of {@link UploadSpaceService} */
  private settle(attachmentId: number, made: ReadonlyMap<ThumbnailKind, Buffer> | null): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      // A message that links it from now on sees the result.
      const attachment = await this.rows.lock(tx, attachmentId);
      const picture = (await this.known.of(tx, [attachmentId])).get(attachmentId);
      if (!attachment || !picture) return false;
      if (picture.thumbnails !== 'waiting') return picture.thumbnails === 'made';
      const bytes = [...(made?.values() ?? [])].reduce((sum, { length }) => sum + length, 0);
      await this.known.settle(tx, attachmentId, made && { bytes });
      await this.hooks.run(picturesSettled, tx, { attachmentId });
      if (made) await this.count(tx, attachment, bytes);
      return made !== null;
    });
  }

  private async count(tx: Transaction, attachment: Attachment, bytes: number): Promise<void> {
    const used = await this.space.take(tx, attachment.ownerId, bytes);
    const messages = await this.rows.linkingMessages(tx, [attachment.id]);
    const record = attachmentWire(attachment, messages.get(attachment.id));
    tx.emit(
      attachmentUpdated({ attachment: record, upload_space_used: used }),
      Audience.of([attachment.ownerId]),
    );
  }

  private async discard({ path }: Attachment, made: ReadonlyMap<ThumbnailKind, Buffer>): Promise<void> {
    for (const kind of made.keys()) await this.files.delete(thumbnailPath(path, kind));
  }
}
