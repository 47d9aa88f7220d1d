import type { PictureVersion } from '../../../platform/pictures/picture-recipe';
import type { Pictures } from '../../../platform/pictures/pictures';
import { AVATAR_SIDES, type AvatarSize } from '../accounts/avatar-url';

/**
 * Decodes a picture and makes a PNG of each size from it: square, upright and without metadata.
 * @param person whose turn it takes
 * @throws ApiError of the picture
 */
export async function makeAvatars(
  pictures: Pictures,
  person: number,
  file: Buffer,
): Promise<Record<AvatarSize, Buffer>> {
  const { small, medium } = await pictures.portray(person, file, {
    small: square('small'),
    medium: square('medium'),
  });
  return { small: small!, medium: medium! };
}

function square(size: AvatarSize): PictureVersion {
  const side = AVATAR_SIDES[size];
  return { width: side, height: side, fit: 'cover', format: 'png' };
}
