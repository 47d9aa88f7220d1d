import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { type Actor, personOf } from '../../platform/actor';
import { FileStore, type StoredFile } from '../../platform/files/file-store';
import type { UploadedFile } from '../../platform/http/body/uploaded-file';
import type { PictureRecipe } from '../../platform/pictures/picture-recipe';
import { Pictures } from '../../platform/pictures/pictures';
import type { CustomEmojiRecord } from './custom-emoji.entity';
import { NoSuchEmojiPicture, pictureFiles } from './emoji.api';

/** Largest file that is taken, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Side of the square that every emoji fills, in pixels. */
const SIDE = 64;

/** Upright, whole, in the middle of a transparent square, without metadata. */
const FORM = { width: SIDE, height: SIDE, fit: 'contain' } as const;

/** The first frame alone, and all of them where it moves. */
const RECIPE: PictureRecipe<'still' | 'moving'> = {
  still: { ...FORM, format: 'png' },
  moving: { ...FORM, isAnimated: true, format: 'gif' },
};

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
  async store(actor: Actor, file: UploadedFile): Promise<StoredPictures> {
    const content = await buffer(file.stream(MAX_BYTES));
    const { still, moving } = await this.pictures.make(personOf(actor), content, RECIPE);
    const stored = { fileKey: randomBytes(20).toString('hex'), isAnimated: moving !== null };
    const names = pictureFiles(stored);
    await this.files.save(pathOf(names.picture), (moving ?? still)!);
    if (names.still !== null) await this.files.save(pathOf(names.still), still!);
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
