import type { Sharp } from 'sharp';
import { decodePicture } from '../../platform/pictures/decode-picture';

/** The files of one emoji. */
export interface EmojiImages {
  /** PNG, or GIF where it moves. */
  readonly picture: Buffer;
  /** The first frame of an animation, as PNG; null where nothing moves. */
  readonly still: Buffer | null;
}

/** Side of the square that every emoji fills, in pixels. */
const SIDE = 64;

/**
 * Decodes a picture and makes an emoji of it: upright, whole, in the middle of a transparent square, without
 * metadata.
 * @throws BadImage
 */
export function makeEmojiImages(file: Buffer): Promise<EmojiImages> {
  return decodePicture(file, async ({ still, animation }) => {
    const first = await fitted(still).png().toBuffer();
    return animation
      ? { picture: await fitted(animation).gif().toBuffer(), still: first }
      : { picture: first, still: null };
  });
}

function fitted(picture: Sharp): Sharp {
  return picture
    .autoOrient()
    .resize(SIDE, SIDE, { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } });
}
