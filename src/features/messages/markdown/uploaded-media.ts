/** An uploaded picture, as far as messages show it. */
export interface UploadedPicture {
  /** Pixels, as it is to be shown: upright. */
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  /** The name of a large version of it, where browsers do not show files of its kind; null otherwise. */
  readonly transcoded: string | null;
  /** Whether smaller versions are still to be made, are there, or are not to be had. */
  readonly thumbnails: 'waiting' | 'made' | 'none';
}

/** An uploaded file, as far as messages show more of it than a link. */
export interface UploadedMedia {
  /** In lower case, without parameters. */
  readonly contentType: string;
  /** Null for what is not a picture that the server can read. */
  readonly picture: UploadedPicture | null;
}

/** A smaller version that the server makes of pictures. */
export interface ThumbnailFormat {
  /** The last part of its address. */
  readonly name: string;
  /** Pixels that it has at most. */
  readonly maxWidth: number;
  readonly maxHeight: number;
  readonly format: 'webp';
  readonly isAnimated: boolean;
}

const SIZE = { maxWidth: 840, maxHeight: 560, format: 'webp' } as const;

/** The smaller version of every picture; of one that moves, its first frame. */
export const STILL_THUMBNAIL: ThumbnailFormat = { ...SIZE, name: '840x560.webp', isAnimated: false };

/** The smaller version of a picture that moves. */
export const ANIMATED_THUMBNAIL: ThumbnailFormat = { ...SIZE, name: '840x560-anim.webp', isAnimated: true };

const VIDEO = new Set(['video/mp4', 'video/webm', 'video/quicktime']);
const AUDIO = new Set(['audio/aac', 'audio/flac', 'audio/x-flac', 'audio/mpeg', 'audio/wav']);

/** Whether a player for moving pictures shows the file. */
export function isVideo({ contentType }: UploadedMedia): boolean {
  return VIDEO.has(contentType);
}

/** Whether a player for sound plays the file. */
export function isAudio({ contentType }: UploadedMedia): boolean {
  return AUDIO.has(contentType);
}
