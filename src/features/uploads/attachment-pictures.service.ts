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

/** A version of a picture that the server made: small, small and moving, or large in a format that browsers show. */
export type ThumbnailKind = 'still' | 'moving' | 'large';

/** Types of files that browsers do not show as pictures. */
const UNSHOWN = new Set(['image/tiff']);

/** What a large version fits into, lying or standing. */
const LARGE = { longSide: 4032, shortSide: 3024 };

/** The kinds that there are of a picture, by the names that their addresses end with. */
export function thumbnailNames(
  picture: Pick<AttachmentPicture, 'isAnimated' | 'transcoded' | 'thumbnails'>,
): Map<string, ThumbnailKind> {
  if (picture.thumbnails !== 'made') return new Map();
  const names = new Map<string, ThumbnailKind>([[STILL_THUMBNAIL.name, 'still']]);
  if (picture.isAnimated) names.set(ANIMATED_THUMBNAIL.name, 'moving');
  if (picture.transcoded !== null) names.set(picture.transcoded, 'large');
  return names;
}

/** Where the file store keeps a version of an upload. */
export function thumbnailPath(uploadPath: string, kind: ThumbnailKind): string {
  return `${storedPath(uploadPath).replace(/^uploads/, 'thumbnails')}-${kind}.webp`;
}

/** Every file that the store may keep of an upload. */
export function filesOf(uploadPath: string): string[] {
  const kinds: ThumbnailKind[] = ['still', 'moving', 'large'];
  return [storedPath(uploadPath), ...kinds.map((kind) => thumbnailPath(uploadPath, kind))];
}

/** The name of the large version of a picture; null for one that browsers show as it is. */
function transcodedName(contentType: string, width: number, height: number): string | null {
  if (!UNSHOWN.has(contentType)) return null;
  const long = LARGE.longSide / Math.max(width, height);
  const short = LARGE.shortSide / Math.min(width, height);
  const scale = Math.min(1, long, short);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return `${side(width)}x${side(height)}.webp`;
}

/** What is made of a picture: smaller versions, upright, whole, never enlarged, without metadata. */
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

/** Makes the smaller versions of a picture, and lets messages show them. */
export const makeThumbnailsOf = defineJob<{ readonly attachmentId: number }>('make_thumbnails');

/** Types of files that are looked at; whether they are pictures is for their content to say. */
const PICTURE_TYPES = new Set(['gif', 'jpeg', 'png', 'webp', 'avif', 'tiff'].map((kind) => `image/${kind}`));

/** What a file's beginning says of it. */
type PictureFacts = Omit<AttachmentPicture, 'attachmentId' | 'bytes'>;

const NO_PICTURE: PictureFacts = {
  width: 0,
  height: 0,
  isAnimated: false,
  transcoded: null,
  thumbnails: 'none',
};

/** What is known of uploaded pictures. */
@Injectable()
export class AttachmentPicturesService {
  private readonly logger = new Logger('Uploads');

  constructor(
    private readonly files: FileStore,
    private readonly pictures: Pictures,
    private readonly jobs: Jobs,
    private readonly accounts: AccountDirectory,
  ) {}

  /** Whether a file says that it is a picture. */
  isCandidate({ contentType }: Pick<Attachment, 'contentType'>): boolean {
    return PICTURE_TYPES.has(contentType);
  }

  /**
   * Looks at the beginning of a stored file that says it is a picture.
   * @returns null where too many others are looked at; there is another time
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

  /** Notes what is known of an attachment, unless that was noted before, and has smaller versions of it made. */
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

  /** By the ID of the attachment. */
  async of(db: Queryable, attachmentIds: readonly number[]): Promise<Map<number, AttachmentPicture>> {
    if (attachmentIds.length === 0) return new Map();
    const rows = await entityRows(db, AttachmentPicture, 'WHERE attachment_id IN (?)', [attachmentIds]);
    return new Map(rows.map((row) => [row.attachmentId, row]));
  }

  /** Notes what became of the smaller versions. */
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
