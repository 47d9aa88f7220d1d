/** Properties of a picture, from the beginning of its file. */
export interface PictureHeader {
  readonly kind: string;
  /** Pixels, in upright orientation. */
  readonly width: number;
  readonly height: number;
  /** One for a still picture. */
  readonly frames: number;
  /** Whether it can be decoded with little memory, however large it is. */
  readonly isReadByLine: boolean;
  /** Memory for decoding: channels times depth, plus the overhead of the decoder. */
  readonly bytesPerPixel: number;
}

/** Why a picture is refused. */
export type PictureRefusal = 'unreadable' | 'too many frames' | 'too many pixels' | 'too much memory';

/** Limits of decoded pictures. */
export interface PictureLimits {
  readonly kinds: ReadonlySet<string>;
  /** For pictures that must be in memory as a whole. */
  readonly maxPixels: number;
  /** Likewise. */
  readonly maxBytes: number;
  /** For pictures decoded line by line, or frame by frame. */
  readonly maxPixelsInParts: number;
  readonly maxFrames: number;
  /** From the first read of the file until all versions are made. */
  readonly maxSeconds: number;
}

/** Maximum memory of a decoded picture. The decoding process has some room beyond it. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A frame costs about a millisecond however small it is, and a file of a megabyte can contain tens of thousands. */
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

/** For pictures processed in the background. */
export const LENIENT: PictureLimits = {
  kinds: new Set([...STRICT.kinds, 'tiff', 'avif']),
  maxPixels: 40_000_000,
  maxPixelsInParts: 90_000_000,
  maxBytes: MAX_BYTES,
  maxFrames: MAX_FRAMES,
  maxSeconds: 30,
};

/** A shorter beginning of an animation says less about it than a still picture. */
const FEWEST_FRAMES = 3;

/** The limit that decoding this many frames of a picture would exceed; null if it may be decoded. */
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

/** Number of frames of a picture to decode: one if it is too large to be animated. */
export function framesWithin(
  header: Pick<PictureHeader, 'width' | 'height' | 'frames'>,
  limits: PictureLimits,
): number {
  const { width, height, frames } = header;
  const most = Math.min(frames, limits.maxFrames, Math.floor(limits.maxPixelsInParts / (width * height)));
  return most < Math.min(frames, FEWEST_FRAMES) ? 1 : most;
}

/** A picture derived from an uploaded one: upright and without metadata. */
export interface PictureVersion {
  /** Whether it has all frames; not made for still pictures. */
  readonly isAnimated?: boolean;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /**
   * Fills the size and is cropped; is padded with transparency to the size; or keeps its aspect ratio and is never
   * enlarged.
   */
  readonly fit: 'cover' | 'contain' | 'inside';
  readonly format: 'png' | 'gif' | 'webp';
}

/** Versions to make of one file, under names that the caller chooses; null makes none. */
export type PictureRecipe<Name extends string = string> = Readonly<Record<Name, PictureVersion | null>>;

/** The resulting files; also null for an animated version of a still picture. */
export type CreatedPictures<Name extends string = string> = Record<Name, Buffer | null>;
