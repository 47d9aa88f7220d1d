import { ApiError } from '../errors/api-error';

/** The file is not a picture of a supported kind. */
export class BadImage extends ApiError {
  constructor(message = 'Could not decode image; did you upload an image file?') {
    super(message, { code: 'BAD_IMAGE' });
  }
}

/** An animation with too many frames. */
export class TooManyFrames extends BadImage {
  constructor(limit: number) {
    super(`The animation has too many frames (limit: ${limit})`);
  }
}

/** A picture with too many pixels to decode, however small its file. */
export class PictureTooLarge extends BadImage {
  constructor(limit: number, isAnimated: boolean) {
    const where = isAnimated ? ' in all frames together' : '';
    super(`The image is too large (limit: ${limit / 1_000_000} million pixels${where})`);
  }
}

/** A picture within the other limits that still takes too much memory, or crashes the decoder. */
export class PictureTakesTooMuch extends BadImage {
  constructor() {
    super('The image takes too much memory to process. Try a smaller or simpler one.');
  }
}

/** A picture within the limits that still takes too long. */
export class PictureTakesTooLong extends BadImage {
  constructor() {
    super('The image takes too long to process. Try a smaller or simpler one.');
  }
}
