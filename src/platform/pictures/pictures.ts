import { Injectable } from '@nestjs/common';
import type { Sharp, SharpOptions } from 'sharp';
import { ServerBusy } from '../errors/request.errors';
import { Semaphore } from '../semaphore';
import {
  framesWithin,
  isWithin,
  LENIENT,
  type PictureHeader,
  type PictureLimits,
  STRICT,
} from './picture-limits';
import { BadImage, PictureTakesTooLong, PictureTooLarge, TooManyFrames } from './pictures.errors';

/** A picture that a user uploaded. */
export interface DecodedPicture {
  /** The picture, or the first frame of an animation. */
  readonly still: Sharp;
  /** Null for a picture that does not move. */
  readonly animation: Sharp | null;
}

/** Pictures in line, whose files are in memory. */
const WAITING_AT_MOST = 20;

/**
 * Decodes pictures, one at a time: each takes one of the four threads that hashing passwords and reading files need, too.
 */
@Injectable()
export class Pictures {
  private readonly decoding = new Semaphore(1);
  /** Apart from the others, as it takes no time. */
  private readonly examining = new Semaphore(1);

  /**
   * Decodes a file from which the caller makes new pictures. Keep nothing but those: whatever else was hidden in the
   * file is then gone.
   * @param make makes small ones; any error in it is blamed on the file
   * @throws BadImage, TooManyFrames, PictureTooLarge, PictureTakesTooLong, ServerBusy
   */
  decode<T>(file: Buffer, make: (picture: DecodedPicture) => Promise<T>): Promise<T> {
    return inTurn(this.decoding, async () => {
      const header = await readHeader(file, STRICT);
      const { frames } = header;
      if (header.kind === null) throw new BadImage();
      if (frames > STRICT.maxFrames) throw new TooManyFrames(STRICT.maxFrames);
      if (!isWithin(header, frames, STRICT)) throw new PictureTooLarge(STRICT.maxPixels, frames > 1);
      return make(open(file, header, STRICT));
    });
  }

  /**
   * What the beginning of a file on the disk says of a picture, without decoding it.
   * @param path a file whose content never changes
   * @throws BadImage for what {@link decodeFile} would not decode, ServerBusy
   */
  examine(path: string): Promise<PictureHeader> {
    return inTurn(this.examining, () => readLeniently(path));
  }

  /**
   * As {@link decode}, for files on the disk that nobody waits for: larger pictures, of more kinds. An animation of too
   * many frames ends early.
   * @throws BadImage, PictureTakesTooLong, ServerBusy
   */
  decodeFile<T>(path: string, make: (picture: DecodedPicture) => Promise<T>): Promise<T> {
    return inTurn(this.decoding, async () => make(open(path, await readLeniently(path), LENIENT)));
  }
}

async function inTurn<T>(line: Semaphore, work: () => Promise<T>): Promise<T> {
  if (line.waitingCount >= WAITING_AT_MOST) throw new ServerBusy();
  return line.run(async () => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof BadImage) throw error;
      throw /^timeout/.test((error as Error).message) ? new PictureTakesTooLong() : new BadImage();
    }
  });
}

/** Looks at the beginning of each frame, and decodes none. The kind is null for one that the limits leave out. */
async function readHeader(
  file: Buffer | string,
  { kinds }: PictureLimits,
): Promise<Omit<PictureHeader, 'kind'> & { readonly kind: string | null }> {
  const header = await loadSharp()(file, { failOn: 'error', limitInputPixels: false }).metadata();
  const { format, compression, autoOrient, pages = 1, isProgressive } = header;
  // HEIF is a container; what cameras put into it needs a decoder that is not free.
  const kind = format === 'heif' && compression === 'av1' ? 'avif' : format;
  const moves = kind === 'gif' || kind === 'webp';
  return {
    kind: kinds.has(kind) ? kind : null,
    width: autoOrient.width,
    height: autoOrient.height,
    frames: moves ? pages : 1,
    isReadByLine: (kind === 'jpeg' || kind === 'png') && !isProgressive,
  };
}

async function readLeniently(path: string): Promise<PictureHeader> {
  const { kind, ...header } = await readHeader(path, LENIENT);
  if (kind === null || !isWithin(header, 1, LENIENT)) throw new BadImage();
  return { ...header, kind, frames: framesWithin(header, LENIENT) };
}

function open(file: Buffer | string, { frames }: { frames: number }, limits: PictureLimits): DecodedPicture {
  const options: SharpOptions = { failOn: 'error', limitInputPixels: limits.maxPixelsInParts };
  const sharp = loadSharp();
  const read = (more: SharpOptions) =>
    sharp(file, { ...options, ...more }).timeout({ seconds: limits.maxSeconds });
  return { still: read({}), animation: frames > 1 ? read({ pages: frames }) : null };
}

/** What reads the kinds that the limits name. A look at others can take long: more than a minute for some SVG files. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].flatMap((kind) =>
  ['File', 'Buffer'].map((source) => `VipsForeignLoad${kind}${source}`),
);

let loaded: typeof import('sharp') | undefined;

/** Loaded with the first picture: it takes 20 MB. */
function loadSharp(): typeof import('sharp') {
  return (loaded ??= setUp());
}

function setUp(): typeof import('sharp') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import at the top would load it at start
  const sharp = require('sharp') as typeof import('sharp');
  // One thread for a picture, whatever the number of processors.
  sharp.concurrency(1);
  // No picture is asked for twice, and files that are kept open would outlive their deletion.
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: READERS });
  return sharp;
}
