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
}

/** How much of a picture is decoded. */
export interface PictureLimits {
  readonly kinds: ReadonlySet<string>;
  /** Of one that has to be in memory as a whole, where each pixel takes four bytes. */
  readonly maxPixels: number;
  /** Of one that is decoded line by line, or frame by frame. */
  readonly maxPixelsInParts: number;
  readonly maxFrames: number;
  /** For each picture that is made. */
  readonly maxSeconds: number;
}

/** A frame costs about a millisecond however small it is, and a file of a megabyte holds tens of thousands. */
const MAX_FRAMES = 500;

/** For pictures of which somebody waits to hear; what is within the other limits takes about half a second. */
export const STRICT: PictureLimits = {
  kinds: new Set(['png', 'jpeg', 'gif', 'webp']),
  maxPixels: 40_000_000,
  maxPixelsInParts: 40_000_000,
  maxFrames: MAX_FRAMES,
  maxSeconds: 5,
};

/** For pictures that are worked on later. */
export const LENIENT: PictureLimits = {
  kinds: new Set([...STRICT.kinds, 'tiff', 'avif']),
  maxPixels: 40_000_000,
  maxPixelsInParts: 90_000_000,
  maxFrames: MAX_FRAMES,
  maxSeconds: 15,
};

/** A shorter beginning of an animation says less of it than a picture. */
const FEWEST_FRAMES = 3;

/** Whether so many frames of a picture may be decoded. */
export function isWithin(
  { width, height, isReadByLine }: Omit<PictureHeader, 'kind'>,
  frames: number,
  limits: PictureLimits,
): boolean {
  return width * height * frames <= (isReadByLine ? limits.maxPixelsInParts : limits.maxPixels);
}

/** How many frames of a picture are decoded: one, where it is too large to be shown moving. */
export function framesWithin(header: Omit<PictureHeader, 'kind'>, limits: PictureLimits): number {
  const { width, height, frames } = header;
  const most = Math.min(frames, limits.maxFrames, Math.floor(limits.maxPixelsInParts / (width * height)));
  return most < Math.min(frames, FEWEST_FRAMES) ? 1 : most;
}
