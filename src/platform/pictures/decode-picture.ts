import type { Sharp, SharpOptions } from 'sharp';
import { ApiError } from '../errors/api-error';

/** The file is no picture of a kind that is taken. */
class BadImage extends ApiError {
  constructor() {
    super('Could not decode image; did you upload an image file?', { code: 'BAD_IMAGE' });
  }
}

/** A picture that somebody uploaded. */
export interface DecodedPicture {
  /** The picture, or the first frame of an animation. */
  readonly still: Sharp;
  /** Null where nothing moves. */
  readonly animation: Sharp | null;
}

const KINDS = new Set(['png', 'jpeg', 'gif', 'webp']);

const OPTIONS: SharpOptions = {
  failOn: 'error',
  /** Of all frames together; each pixel takes four bytes of memory. */
  limitInputPixels: 40_000_000,
};

/**
 * Decodes a file for whoever makes new pictures of it. Keep nothing but those: whatever else hid in the file is then
 * gone.
 * @param make what is made; anything that goes wrong in it is laid to the file
 * @throws BadImage
 */
export async function decodePicture<T>(
  file: Buffer,
  make: (picture: DecodedPicture) => Promise<T>,
): Promise<T> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded with the first picture: it takes 20 MB
  const sharp = require('sharp') as typeof import('sharp');
  try {
    const still = sharp(file, OPTIONS);
    const { format, pages = 1 } = await still.metadata();
    if (!KINDS.has(format)) throw new BadImage();
    return await make({ still, animation: pages > 1 ? sharp(file, { ...OPTIONS, animated: true }) : null });
  } catch {
    throw new BadImage();
  }
}
