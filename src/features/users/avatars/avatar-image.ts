import type { Sharp } from 'sharp';
import type { Pictures } from '../../../platform/pictures/pictures';
import { AVATAR_SIDES, type AvatarSize } from '../accounts/avatar-url';

/**
 * Decodes a picture and makes a PNG of each size from it: square, upright and without metadata.
 * @throws ApiError of the picture
 */
export function makeAvatars(pictures: Pictures, file: Buffer): Promise<Record<AvatarSize, Buffer>> {
  return pictures.decode(file, async ({ still }) => ({
    small: await square(still, 'small'),
    medium: await square(still, 'medium'),
  }));
}

function square(picture: Sharp, size: AvatarSize): Promise<Buffer> {
  const side = AVATAR_SIDES[size];
  return picture.clone().autoOrient().resize(side, side, { fit: 'cover' }).png().toBuffer();
}
