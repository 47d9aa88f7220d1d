import { Injectable } from '@nestjs/common';
import type { Sharp, SharpOptions } from 'sharp';
import { ServerBusy } from '../errors/request.errors';
import { Semaphore } from '../semaphore';
import { BadImage, PictureTakesTooLong, PictureTooLarge, TooManyFrames } from './pictures.errors';

/** A picture that a user uploaded. */
export interface DecodedPicture {
  /** The picture, or the first frame of an animation. */
  readonly still: Sharp;
  /** Null for a picture that does not move. */
  readonly animation: Sharp | null;
}

const KINDS = new Set(['png', 'jpeg', 'gif', 'webp']);

/** Of all frames together; each pixel takes four bytes of memory. */
const MAX_PIXELS = 40_000_000;

/** A frame costs about a millisecond however small it is, and a file of a megabyte holds tens of thousands. */
const MAX_FRAMES = 500;

/** For each picture that is made; what is within the other limits takes about half a second. */
const MAX_SECONDS = 5;

/** Pictures in line, whose files are in memory. */
const WAITING_AT_MOST = 20;

const OPTIONS: SharpOptions = { failOn: 'error', limitInputPixels: MAX_PIXELS };

/**
 * Decodes pictures, one at a time: each takes one of the four threads that hashing passwords and reading files need, too.
 */
@Injectable()
export class Pictures {
  private readonly semaphore = new Semaphore(1);

  /**
   * Decodes a file from which the caller makes new pictures. Keep nothing but those: whatever else was hidden in the
   * file is then gone.
   * @param make makes small ones; any error in it is blamed on the file
   * @throws BadImage, TooManyFrames, PictureTooLarge, PictureTakesTooLong, ServerBusy
   */
  async decode<T>(file: Buffer, make: (picture: DecodedPicture) => Promise<T>): Promise<T> {
    if (this.semaphore.waitingCount >= WAITING_AT_MOST) throw new ServerBusy();
    return this.semaphore.run(async () => {
      try {
        return await decode(file, make);
      } catch (error) {
        if (error instanceof BadImage) throw error;
        throw /^timeout/.test((error as Error).message) ? new PictureTakesTooLong() : new BadImage();
      }
    });
  }
}

async function decode<T>(file: Buffer, make: (picture: DecodedPicture) => Promise<T>): Promise<T> {
  const sharp = loadSharp();
  // Looks at the beginning of each frame, and decodes none.
  const header = sharp(file, { ...OPTIONS, limitInputPixels: false });
  const { format, width, height, pages = 1 } = await header.metadata();
  if (!KINDS.has(format)) throw new BadImage();
  if (pages > MAX_FRAMES) throw new TooManyFrames(MAX_FRAMES);
  if (width * height * pages > MAX_PIXELS) throw new PictureTooLarge(MAX_PIXELS, pages > 1);
  const open = (options: SharpOptions) => sharp(file, options).timeout({ seconds: MAX_SECONDS });
  return make({ still: open(OPTIONS), animation: pages > 1 ? open({ ...OPTIONS, animated: true }) : null });
}

/** Loaded with the first picture: it takes 20 MB. */
function loadSharp(): typeof import('sharp') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import at the top would load it at start
  const sharp = require('sharp') as typeof import('sharp');
  // One thread for a picture, whatever the number of processors.
  sharp.concurrency(1);
  return sharp;
}
