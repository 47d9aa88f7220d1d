import type { Sharp } from 'sharp';
import type { Pictures } from '../../platform/pictures/pictures';
import { ANIMATED_THUMBNAIL, STILL_THUMBNAIL } from '../messages';
import type { AttachmentPicture } from './attachment-picture.entity';
import { storedPath } from './upload-path';

/** A version of a picture that the server made: small, small and moving, or large in a format that browsers show. */
export type ThumbnailKind = 'still' | 'moving' | 'large';

/** Types of files that browsers do not show as pictures. */
const UNSHOWN = new Set(['image/tiff']);

/** What a large version fits into, lying or standing. */
const LARGE = { longSide: 4032, shortSide: 3024 };

/** Moving pictures have many frames: each takes half the time without the last few bytes saved. */
const QUICK = { effort: 0 };

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
export function transcodedName(contentType: string, width: number, height: number): string | null {
  if (!UNSHOWN.has(contentType)) return null;
  const long = LARGE.longSide / Math.max(width, height);
  const short = LARGE.shortSide / Math.min(width, height);
  const scale = Math.min(1, long, short);
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return `${side(width)}x${side(height)}.webp`;
}

/**
 * Makes the smaller versions of a picture: upright, whole, never enlarged, without metadata.
 * @param file where it lies on the disk
 * @throws BadImage, PictureTakesTooLong, ServerBusy
 */
export function makeThumbnails(
  pictures: Pictures,
  file: string,
  { width, height, transcoded }: AttachmentPicture,
): Promise<Map<ThumbnailKind, Buffer>> {
  const { maxWidth, maxHeight } = STILL_THUMBNAIL;
  return pictures.decodeFile(file, async ({ still, animation }) => {
    const made = new Map<ThumbnailKind, Buffer>();
    made.set('still', await fitted(still.clone(), maxWidth, maxHeight).webp().toBuffer());
    if (animation) made.set('moving', await fitted(animation, maxWidth, maxHeight).webp(QUICK).toBuffer());
    if (transcoded !== null) {
      const { longSide, shortSide } = LARGE;
      const [mostWide, mostHigh] = width < height ? [shortSide, longSide] : [longSide, shortSide];
      made.set('large', await fitted(still.clone(), mostWide, mostHigh).webp().toBuffer());
    }
    return made;
  });
}

function fitted(picture: Sharp, width: number, height: number): Sharp {
  return picture.autoOrient().resize(width, height, { fit: 'inside', withoutEnlargement: true });
}
