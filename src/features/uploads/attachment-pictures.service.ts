import { Injectable, Logger } from '@nestjs/common';
import { type Attachment, AttachmentPicture } from './attachment.entity';
import { storedPath } from './upload-path';
import type { Transaction } from '../../platform/database/transaction.service';
import { RateLimitHit, ServerBusy } from '../../platform/errors/request.errors';
import { FileStore } from '../../platform/files/file-store';
import { defineJob } from '../../platform/jobs/job';
import { Jobs } from '../../platform/jobs/jobs.service';
import type { PictureRecipe } from '../../platform/pictures/picture-limits';
import { Pictures } from '../../platform/pictures/pictures';
import { BadImage } from '../../platform/pictures/pictures.errors';
import { entityRows } from '../../platform/sql/entity-rows';
import type { Queryable } from '../../platform/sql/queryable';
import { ANIMATED_THUMBNAIL, STILL_THUMBNAIL } from '../messages/messages.module';
import { AccountDirectory } from '../users/users.module';

/**
 * A generated version of an image: a thumbnail, an animated thumbnail, or a large version in a format that browsers
 * support.
 */
export type ThumbnailKind = 'still' | 'moving' | 'large';

/** Image types that browsers do not support. */
const UNSHOWN = new Set(['image/tiff']);

/** Maximum dimensions of a large version, in either orientation. */
const LARGE = { longSide: 4032, shortSide: 3024 };

/** The versions of an image, by the names at the end of their URLs. */
export function thumbnailNames(
  picture: Pick<AttachmentPicture, 'isAnimated' | 'transcoded' | 'thumbnails'>,
): Map<string, ThumbnailKind> {
  if (picture.thumbnails !== 'made') return new Map();
  const names = new Map<string, ThumbnailKind>([[STILL_THUMBNAIL.name, 'still']]);
  if (picture.isAnimated) names.set(ANIMATED_THUMBNAIL.name, 'moving');
  if (picture.transcoded !== null) names.set(picture.transcoded, 'large');
  return names;
}

/** The path of a version of an upload in the file store. */
export function thumbnailPath(uploadPath: string, kind: ThumbnailKind): string {
  return `${storedPath(uploadPath).replace(/^uploads/, 'thumbnails')}-${kind}.webp`;
}

/** All files that the store may contain for an upload. */
export function filesOf(uploadPath: string): string[] {
  const kinds: ThumbnailKind[] = ['still', 'moving', 'large'];
  return [storedPath(uploadPath), ...kinds.map((kind) => thumbnailPath(uploadPath, kind))];
}

/** The name of the large version of an image; null if browsers support the original. */
function transcodedName(contentType: string, width: number, height: number): string | null {
  if (!UNSHOWN.has(contentType)) return null;
  const long = LARGE.longSide / Math.max(width, height);
  const short = LARGE.shortSide / Math.min(width, height);
  const scale = Math.min(1, long, short);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return `${side(width)}x${side(height)}.webp`;
}

/** The versions to generate from an image: upright, uncropped, never enlarged, without metadata. */
export function thumbnailRecipe({
  width,
  height,
  transcoded,
}: Pick<AttachmentPicture, 'width' | 'height' | 'transcoded'>): PictureRecipe<ThumbnailKind> {
  const form = { fit: 'inside', format: 'webp' } as const;
  const small = { ...form, width: STILL_THUMBNAIL.maxWidth, height: STILL_THUMBNAIL.maxHeight };
  const { longSide, shortSide } = LARGE;
  const [mostWide, mostHigh] = width < height ? [shortSide, longSide] : [longSide, shortSide];
  return {
    still: small,
    moving: { ...small, isAnimated: true },
    large: transcoded === null ? null : { ...form, width: mostWide, height: mostHigh },
  };
}

/** Generates the thumbnails of an image, and shows them in messages. */
export const makeThumbnailsOf = defineJob<{ readonly attachmentId: number }>('make_thumbnails');

/** Types of files to examine; whether they are images depends on their content. */
const PICTURE_TYPES = new Set(['gif', 'jpeg', 'png', 'webp', 'avif', 'tiff'].map((kind) => `image/${kind}`));

/** What the start of a file reveals. */
type PictureFacts = Omit<AttachmentPicture, 'attachmentId' | 'bytes'>;

const NO_PICTURE: PictureFacts = {
  width: 0,
  height: 0,
  isAnimated: false,
  transcoded: null,
  thumbnails: 'none',
};

/** Stores what is known about uploaded images. */
@Injectable()
export class AttachmentPicturesService {
  private readonly logger = new Logger('Uploads');

  constructor(
    private readonly files: FileStore,
    private readonly pictures: Pictures,
    private readonly jobs: Jobs,
    private readonly accounts: AccountDirectory,
  ) {}

  /** Whether a file claims to be an image. */
  isCandidate({ contentType }: Pick<Attachment, 'contentType'>): boolean {
    return PICTURE_TYPES.has(contentType);
  }

  /**
   * Examines the start of a stored file that claims to be an image.
   * @returns null if too many others are being examined; it can be repeated later
   */
  async examine({
    ownerId,
    path,
    contentType,
  }: Pick<Attachment, 'ownerId' | 'path' | 'contentType'>): Promise<PictureFacts | null> {
    const person = this.accounts.personBehind(ownerId);
    try {
      const { width, height, frames } = await this.files.lend(storedPath(path), (file) =>
        this.pictures.examine(person, file),
      );
      const transcoded = transcodedName(contentType, width, height);
      return { width, height, isAnimated: frames > 1, transcoded, thumbnails: 'waiting' };
    } catch (error) {
      if (error instanceof BadImage) return NO_PICTURE;
      if (error instanceof ServerBusy || error instanceof RateLimitHit) return null;
      this.logger.error(error);
      return null;
    }
  }

  /** Stores the facts about an attachment unless they are known, and queues its thumbnails. */
  async note(
    tx: Transaction,
    { id, ownerId }: Pick<Attachment, 'id' | 'ownerId'>,
    facts: PictureFacts,
  ): Promise<void> {
    const { width, height, isAnimated, transcoded, thumbnails } = facts;
    const noted = await tx.query(
      `INSERT INTO attachment_picture (attachment_id, width, height, is_animated, transcoded, thumbnails, bytes)
       VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT (attachment_id) DO NOTHING RETURNING attachment_id`,
      [id, width, height, isAnimated, transcoded, thumbnails],
    );
    if (noted.length === 0 || thumbnails !== 'waiting') return;
    await this.jobs.enqueue(tx, {
      kind: makeThumbnailsOf,
      key: String(id),
      group: String(ownerId),
      data: { attachmentId: id },
    });
  }

  /** By attachment ID. */
  async of(db: Queryable, attachmentIds: readonly number[]): Promise<Map<number, AttachmentPicture>> {
    if (attachmentIds.length === 0) return new Map();
    const rows = await entityRows(db, AttachmentPicture, 'WHERE attachment_id IN (?)', [attachmentIds]);
    return new Map(rows.map((row) => [row.attachmentId, row]));
  }

  /** Records the result of generating thumbnails. */
  async settle(
    tx: Transaction,
    attachmentId: number,
    made: { readonly bytes: number } | null,
  ): Promise<void> {
    await tx.query('UPDATE attachment_picture SET thumbnails = ?, bytes = ? WHERE attachment_id = ?', [
      made ? 'made' : 'none',
      made?.bytes ?? 0,
      attachmentId,
    ]);
  }
}
