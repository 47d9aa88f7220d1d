import type { Sharp, SharpOptions } from 'sharp';
import { ApiError } from '../errors/api-error';

/** The file is not a picture of a supported kind. */
class BadImage extends ApiError {
  constructor() {
    super('Could not decode image; did you upload an image file?', { code: 'BAD_IMAGE' });
  }
}

/** A picture that a user uploaded. */
export interface DecodedPicture {
  /** The picture, or the first frame of an animation. */
  readonly still: Sharp;
  /** Null for a picture that does not move. */
  readonly animation: Sharp | null;
}

const KINDS = new Set(['png', 'jpeg', 'gif', 'webp']);

const OPTIONS: SharpOptions = {
  failOn: 'error',
  /** Of all frames together; each pixel takes four bytes of memory. */
  limitInputPixels: 40_000_000,
};

/**
 * Decodes a file from which the caller makes new pictures. Keep nothing but those: whatever else was hidden in the file
 * is then gone.
 * @param make makes them; any error in it is blamed on the file
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
