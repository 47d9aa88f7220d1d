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
