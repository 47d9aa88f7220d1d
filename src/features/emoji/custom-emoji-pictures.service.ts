import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import type { Sharp } from 'sharp';
import { FileStore, type StoredFile } from '../../platform/files/file-store';
import type { UploadedFile } from '../../platform/http/body/uploaded-file';
import { Pictures } from '../../platform/pictures/pictures';
import type { CustomEmojiRecord } from './custom-emoji.entity';
import { pictureFiles } from './emoji.wire';
import { NoSuchEmojiPicture } from './emoji.errors';

/** Largest file that is taken, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Side of the square that every emoji fills, in pixels. */
const SIDE = 64;

/** The files of one emoji. */
interface EmojiImages {
  /** PNG, or GIF where it moves. */
  readonly picture: Buffer;
  /** The first frame of an animation, as PNG; null where nothing moves. */
  readonly still: Buffer | null;
}

/** What an emoji's row says about its pictures. */
export type StoredPictures = Pick<CustomEmojiRecord, 'fileKey' | 'isAnimated'>;

/** The files with the pictures of emoji. */
@Injectable()
export class CustomEmojiPicturesService {
  constructor(
    private readonly files: FileStore,
    private readonly pictures: Pictures,
  ) {}

  /**
   * Decodes a file and stores the emoji made of it; slow, so call it before a transaction.
   * @throws ApiError of the picture or the upload
   */
  async store(file: UploadedFile): Promise<StoredPictures> {
    const images = await makeEmojiImages(this.pictures, await buffer(file.stream(MAX_BYTES)));
    const stored = { fileKey: randomBytes(20).toString('hex'), isAnimated: images.still !== null };
    const names = pictureFiles(stored);
    await this.files.save(pathOf(names.picture), images.picture);
    if (names.still !== null && images.still) await this.files.save(pathOf(names.still), images.still);
    return stored;
  }

  /** Removes pictures that never came to be an emoji's. */
  async discard(pictures: StoredPictures): Promise<void> {
    for (const path of picturePaths(pictures)) await this.files.delete(path);
  }

  /** The file behind the last part of a picture's address. @throws NoSuchEmojiPicture */
  async open(fileName: string): Promise<StoredFile> {
    const isOurs = /^[0-9a-f]{40}(\.png|\.gif|-still\.png)$/.test(fileName);
    const file = isOurs ? await this.files.open(pathOf(fileName)) : null;
    if (!file) throw new NoSuchEmojiPicture();
    return file;
  }
}

/** Where the file store keeps the pictures of an emoji. */
export function picturePaths(pictures: Parameters<typeof pictureFiles>[0]): string[] {
  const { picture, still } = pictureFiles(pictures);
  return still === null ? [pathOf(picture)] : [pathOf(picture), pathOf(still)];
}

function pathOf(fileName: string): string {
  return `emoji/${fileName}`;
}

/**
 * Decodes a picture and makes an emoji of it: upright, whole, in the middle of a transparent square, without
 * metadata.
 * @throws ApiError of the picture
 */
function makeEmojiImages(pictures: Pictures, file: Buffer): Promise<EmojiImages> {
  return pictures.decode(file, async ({ still, animation }) => {
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
