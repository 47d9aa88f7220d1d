import type { Sharp, SharpOptions } from 'sharp';
import {
  framesWithin,
  LENIENT,
  type CreatedPictures,
  type PictureHeader,
  type PictureLimits,
  type PictureRecipe,
  type PictureRefusal,
  type PictureVersion,
  refusalOf,
  STRICT,
} from './picture-limits';

/** One request to the worker process. */
export interface PictureRequest {
  /** Content, or a path. */
  readonly file: Buffer | string;
  /** Truncates long animations, and accepts larger pictures and more formats. */
  readonly isLenient: boolean;
  /** Null to read only the header. */
  readonly recipe: PictureRecipe | null;
}

/** The answer to a {@link PictureRequest}. */
export type PictureAnswer =
  | { readonly header: PictureHeader; readonly made: CreatedPictures }
  | { readonly refusal: PictureRefusal; readonly isAnimated: boolean };

/** Sent once the worker accepts requests. */
export type WorkerReady = 'ready';

type AnyHeader = Omit<PictureHeader, 'kind'> & { readonly kind: string | null };

/** Loaders for the formats in the limits. Opening others can take long: more than a minute for some SVG files. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].flatMap((kind) =>
  ['File', 'Buffer'].map((source) => `VipsForeignLoad${kind}${source}`),
);

/** Bytes per sample, by the library's name of the format. */
const SAMPLE_BYTES: Partial<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };
const LARGEST_SAMPLE_BYTES = 16;

/** Number of whole pictures that a decoder has in memory at once, as measured; 1 for formats not listed. */
const COPIES: Partial<Record<string, number>> = { avif: 6 };

const sharp = loadSharp();

function loadSharp(): typeof import('sharp') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- types alone would be imported otherwise
  const loaded = require('sharp') as typeof import('sharp');
  // One thread per picture, whatever the number of processors.
  loaded.concurrency(1);
  // No picture is requested twice, and cached open files would outlive their deletion.
  loaded.cache(false);
  loaded.block({ operation: ['VipsForeignLoad'] });
  loaded.unblock({ operation: READERS });
  return loaded;
}

async function answerTo(request: PictureRequest): Promise<PictureAnswer> {
  const { file, isLenient, recipe } = request;
  const limits = isLenient ? LENIENT : STRICT;
  try {
    const found = await readHeader(file, limits);
    const header = isLenient ? { ...found, frames: framesWithin(found, limits) } : found;
    const refusal = refusalOf(header, isLenient ? 1 : header.frames, limits);
    if (refusal) return { refusal, isAnimated: header.frames > 1 };
    const made = recipe ? await makeAll(file, header.frames, limits, recipe) : {};
    return { header: header as PictureHeader, made };
  } catch {
    return { refusal: 'unreadable', isAnimated: false };
  }
}

/** Reads the header of each frame, and decodes none. The kind is null if the limits do not include it. */
async function readHeader(file: Buffer | string, { kinds }: PictureLimits): Promise<AnyHeader> {
  const header = await sharp(file, { failOn: 'error', limitInputPixels: false }).metadata();
  const { format, compression, autoOrient, pages = 1, isProgressive, channels, depth } = header;
  // HEIF is a container; what cameras put into it needs a decoder that is not freely licensed.
  const kind = format === 'heif' && compression === 'av1' ? 'avif' : format;
  const moves = kind === 'gif' || kind === 'webp';
  return {
    kind: kinds.has(kind) ? kind : null,
    width: autoOrient.width,
    height: autoOrient.height,
    frames: moves ? pages : 1,
    isReadByLine: (kind === 'jpeg' || kind === 'png') && !isProgressive,
    bytesPerPixel: channels * (SAMPLE_BYTES[depth] ?? LARGEST_SAMPLE_BYTES) * (COPIES[kind] ?? 1),
  };
}

async function makeAll(
  file: Buffer | string,
  frames: number,
  { maxPixelsInParts }: PictureLimits,
  recipe: PictureRecipe,
): Promise<CreatedPictures> {
  const options: SharpOptions = { failOn: 'error', limitInputPixels: maxPixelsInParts };
  const made: CreatedPictures = {};
  for (const [name, version] of Object.entries(recipe)) {
    made[name] = null;
    if (!version || (version.isAnimated && frames === 1)) continue;
    const picture = sharp(file, version.isAnimated ? { ...options, pages: frames } : options);
    made[name] = await make(picture, version);
  }
  return made;
}

function make(picture: Sharp, { isAnimated, width, height, fit, format }: PictureVersion): Promise<Buffer> {
  const sized = picture.autoOrient().resize(width, height, {
    fit,
    withoutEnlargement: fit === 'inside',
    background: { r: 0, g: 0, b: 0, alpha: 0 },
  });
  // Animations have many frames: at a slightly larger size, each takes half the time.
  const effort = format === 'webp' && isAnimated ? { effort: 0 } : {};
  return sized.toFormat(format, effort).toBuffer();
}

// Ctrl-C and systemd signal the whole group. The server ends this process when it no longer needs it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// A regular exit would wait for the running decode.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (request: PictureRequest) => {
  void answerTo(request).then((answer) => process.send?.(answer));
});
process.send?.('ready' satisfies WorkerReady);
