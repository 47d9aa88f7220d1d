import type { PictureRecipe } from '../../platform/pictures/picture-recipe';
import { ANIMATED_THUMBNAIL, STILL_THUMBNAIL } from '../messages/messages.module';
import type { AttachmentPicture } from './attachment.entity';
import { storedPath } from './upload-path';

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
export function transcodedName(contentType: string, width: number, height: number): string | null {
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
