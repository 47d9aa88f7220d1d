import { Injectable } from '@nestjs/common';
import {
  AttachmentPicturesService,
  makeThumbnailsOf,
  type ThumbnailKind,
  thumbnailNames,
  thumbnailPath,
  thumbnailRecipe,
} from './attachment-pictures.service';
import { AttachmentRowsService } from './attachment-rows.service';
import { AttachmentAccess } from './attachment.access';
import type { Attachment, AttachmentPicture } from './attachment.entity';
import { keyOf, storedPath } from './upload-path';
import { UploadSpaceService } from './upload-space.service';
import { attachmentUpdated, attachmentWire, NoSuchUpload, UploadQuotaExceeded } from './uploads.api';
import { picturesSettled } from './uploads.hooks';
import { Database } from '../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { FileStore } from '../../platform/files/file-store';
import { Hooks } from '../../platform/hooks/hooks';
import type { FileAnswer } from '../../platform/http/files/file-answer.interceptor';
import { Jobs } from '../../platform/jobs/jobs.service';
import { Pictures } from '../../platform/pictures/pictures';
import { BadImage } from '../../platform/pictures/pictures.errors';
import type { Requester as Reader } from '../user-groups/user-groups.module';
import { AccountDirectory } from '../users/users.module';

const RETRY = { delaysMs: [2_000, 30_000, 300_000] };
const MAX_WORK_MS = 120_000;

/**
 * Generates thumbnails of images after the upload. They count toward the person's quota. If they cannot be made, or
 * there is no room for them, the original is shown.
 */
@Injectable()
export class ThumbnailsService {
  /** Thumbnails that this node is generating, by attachment ID. */
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
      // One at a time per user, so that a thousand uploads of one user do not delay everyone else.
      concurrency: 2,
      groupConcurrency: 1,
    });
  }

  /** Resolves once the thumbnails exist or turned out to be impossible. @throws ServerBusy */
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

  /** Null if the file cannot be decoded. */
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
      // Messages that link it from now on see the result.
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

/** Size, whether it is animated, and format. */
const FORMAT = /^(\d{1,5})x(\d{1,5})(-anim)?\.[a-z]{1,8}$/;

/** Serves thumbnails to users who may read the file. */
@Injectable()
export class ThumbnailDownloadService {
  constructor(
    private readonly database: Database,
    private readonly access: AttachmentAccess,
    private readonly pictures: AttachmentPicturesService,
    private readonly thumbnails: ThumbnailsService,
    private readonly files: FileStore,
  ) {}

  /**
   * The version with this name, or else the most similar one. Waits for pending thumbnails.
   * @param reader null for a person without an account
   * @param path the part of the URL between `/user_uploads/thumbnail/` and the name
   * @throws NoSuchUpload, UploadNotAccessible, ServerBusy
   */
  async find(reader: Reader | null, path: string, name: string): Promise<FileAnswer> {
    const attachment = await this.access.forReading(this.database.read, reader, path);
    if (!FORMAT.test(name)) throw new NoSuchUpload();
    let picture = await this.pictureOf(attachment.id);
    if (picture?.thumbnails === 'waiting') {
      await this.thumbnails.make(attachment.id);
      picture = await this.pictureOf(attachment.id);
    }
    const kind = picture && nearest(thumbnailNames(picture), name);
    const stored = kind && thumbnailPath(attachment.path, kind);
    const size = stored && (await this.files.sizeOf(stored));
    if (!kind || !stored || !size) throw new NoSuchUpload();
    return {
      fileName: `${attachment.fileName}.webp`,
      contentType: 'image/webp',
      size,
      version: `${keyOf(attachment.path)}-${kind}`,
      open: async (range) => {
        const file = await this.files.open(stored, range);
        if (!file) throw new NoSuchUpload();
        return file.content;
      },
    };
  }

  /** Whether the thumbnails of an image exist. @throws NoSuchUpload, UploadNotAccessible */
  async isMade(reader: Reader, path: string): Promise<boolean> {
    const { id } = await this.access.forReading(this.database.read, reader, path);
    return (await this.pictureOf(id))?.thumbnails === 'made';
  }

  private async pictureOf(attachmentId: number): Promise<AttachmentPicture | undefined> {
    return (await this.pictures.of(this.database.read, [attachmentId])).get(attachmentId);
  }
}

/**
 * The version with this name, or else an animated one if the name asks for one, or else the one with the nearest width.
 */
function nearest(names: ReadonlyMap<string, ThumbnailKind>, wanted: string): ThumbnailKind | undefined {
  const [width, moves] = partsOf(wanted);
  const distance = (name: string) => {
    const [ownWidth, ownMoves] = partsOf(name);
    return (ownMoves === moves ? 0 : 100_000) + Math.abs(ownWidth - width);
  };
  const [best] = [...names.keys()].sort((one, other) => distance(one) - distance(other));
  return names.get(wanted) ?? names.get(best ?? '');
}

function partsOf(name: string): [width: number, moves: boolean] {
  const [, width = '0', , anim] = FORMAT.exec(name) ?? [];
  return [Number(width), anim !== undefined];
}
