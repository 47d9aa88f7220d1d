import type { Sharp } from 'sharp';
import { ApiError } from '../../../platform/errors/api-error';
import { AVATAR_SIDES, type AvatarSize } from './avatar-url';

/** The file is no picture of a kind that is taken. */
class BadImage extends ApiError {
  constructor() {
    super('Could not decode image; did you upload an image file?', { code: 'BAD_IMAGE' });
  }
}

const KINDS = new Set(['png', 'jpeg', 'gif', 'webp']);

/** Pixels of the largest picture that is decoded; each takes four bytes of memory. */
const MOST_PIXELS = 40_000_000;

/**
 * Decodes a picture and makes a PNG of each size of it, cut to a square, upright and without metadata.
 * Nothing of the file itself is kept, so whatever else hid in it is gone.
 * @throws BadImage
 */
export async function makeAvatars(file: Buffer): Promise<Record<AvatarSize, Buffer>> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded with the first picture: it takes 20 MB
  const sharp = require('sharp') as typeof import('sharp');
  try {
    const picture = sharp(file, { limitInputPixels: MOST_PIXELS, failOn: 'error' });
    const { format } = await picture.metadata();
    if (!KINDS.has(format)) throw new BadImage();
    return { small: await square(picture, 'small'), medium: await square(picture, 'medium') };
  } catch {
    throw new BadImage();
  }
}

function square(picture: Sharp, size: AvatarSize): Promise<Buffer> {
  const side = AVATAR_SIDES[size];
  return picture.clone().autoOrient().resize(side, side, { fit: 'cover' }).png().toBuffer();
}
