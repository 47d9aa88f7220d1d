import type { Sharp } from 'sharp';
import { decodePicture } from '../../../platform/pictures/decode-picture';
import { AVATAR_SIDES, type AvatarSize } from '../accounts/avatar-url';

/**
 * Decodes a picture and makes a PNG of each size from it: square, upright and without metadata.
 * @throws BadImage
 */
export function makeAvatars(file: Buffer): Promise<Record<AvatarSize, Buffer>> {
  return decodePicture(file, async ({ still }) => ({
    small: await square(still, 'small'),
    medium: await square(still, 'medium'),
  }));
}

function square(picture: Sharp, size: AvatarSize): Promise<Buffer> {
  const side = AVATAR_SIDES[size];
  return picture.clone().autoOrient().resize(side, side, { fit: 'cover' }).png().toBuffer();
}
