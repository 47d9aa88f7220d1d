/** What the beginning of a file says of a picture. */
export interface PictureHeader {
  readonly kind: string;
  /** Pixels, as the picture is to be shown: upright. */
  readonly width: number;
  readonly height: number;
  /** One for a picture that does not move. */
  readonly frames: number;
  /** Whether decoding it takes little memory, however large it is. */
  readonly isReadByLine: boolean;
  /** Memory that decoding takes: channels by their depth, and what the decoder of the kind needs beside them. */
  readonly bytesPerPixel: number;
}

/** Why a picture is refused. */
export type PictureRefusal = 'unreadable' | 'too many frames' | 'too many pixels' | 'too much memory';

/** How much of a picture is decoded. */
export interface PictureLimits {
  readonly kinds: ReadonlySet<string>;
  /** Of one that has to be in memory as a whole. */
  readonly maxPixels: number;
  /** For the same. */
  readonly maxBytes: number;
  /** Of one that is decoded line by line, or frame by frame. */
  readonly maxPixelsInParts: number;
  readonly maxFrames: number;
  /** From the first look at the file until all pictures are made of it. */
  readonly maxSeconds: number;
}

/** What a picture may take once it is decoded. The process that decodes has some room beside it. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A frame costs about a millisecond however small it is, and a file of a megabyte holds tens of thousands. */
const MAX_FRAMES = 500;

/** For pictures whose upload waits for the result; the worst case within the other limits takes about half a second. */
export const STRICT: PictureLimits = {
  kinds: new Set(['png', 'jpeg', 'gif', 'webp']),
  maxPixels: 40_000_000,
  maxPixelsInParts: 40_000_000,
  maxBytes: MAX_BYTES,
  maxFrames: MAX_FRAMES,
  maxSeconds: 10,
};

/** For pictures that are worked on later. */
export const LENIENT: PictureLimits = {
  kinds: new Set([...STRICT.kinds, 'tiff', 'avif']),
  maxPixels: 40_000_000,
  maxPixelsInParts: 90_000_000,
  maxBytes: MAX_BYTES,
  maxFrames: MAX_FRAMES,
  maxSeconds: 30,
};

/** A shorter beginning of an animation says less of it than a picture. */
const FEWEST_FRAMES = 3;

/** The limit that decoding so many frames of a picture would break; null where it may be decoded. */
export function refusalOf(
  header: Omit<PictureHeader, 'kind'> & { readonly kind: string | null },
  frames: number,
  limits: PictureLimits,
): PictureRefusal | null {
  const { kind, width, height, isReadByLine, bytesPerPixel } = header;
  const pixels = width * height * frames;
  if (kind === null) return 'unreadable';
  if (frames > limits.maxFrames) return 'too many frames';
  if (pixels > (isReadByLine ? limits.maxPixelsInParts : limits.maxPixels)) return 'too many pixels';
  return !isReadByLine && pixels * bytesPerPixel > limits.maxBytes ? 'too much memory' : null;
}

/** How many frames of a picture are decoded: one, where it is too large to be shown moving. */
export function framesWithin(
  header: Pick<PictureHeader, 'width' | 'height' | 'frames'>,
  limits: PictureLimits,
): number {
  const { width, height, frames } = header;
  const most = Math.min(frames, limits.maxFrames, Math.floor(limits.maxPixelsInParts / (width * height)));
  return most < Math.min(frames, FEWEST_FRAMES) ? 1 : most;
}

/** A picture that is made of an uploaded one: upright and without metadata. */
export interface PictureVersion {
  /** Whether it has all frames; such a version of a picture that does not move is not made. */
  readonly isAnimated?: boolean;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Fills the size and is cut, lies on a transparent ground of that size, or keeps its form and is never enlarged. */
  readonly fit: 'cover' | 'contain' | 'inside';
  readonly format: 'png' | 'gif' | 'webp';
}

/** What is made of one file, by names of the caller's; nothing for null. */
export type PictureRecipe<Name extends string = string> = Readonly<Record<Name, PictureVersion | null>>;

/** The files that were made; null also for the animation of what does not move. */
export type MadePictures<Name extends string = string> = Record<Name, Buffer | null>;
