import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { FileStore, type StoredFile } from '../../platform/files/file-store';
import type { UploadedFile } from '../../platform/http/body/uploaded-file';
import type { CustomEmojiRecord } from './custom-emoji.directory';
import { pictureFiles } from './custom-emoji.wire';
import { NoSuchEmojiPicture } from './emoji.errors';
import { makeEmojiImages } from './emoji-image';

/** Largest file that is taken, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

/** What an emoji's row says about its pictures. */
export type StoredPictures = Pick<CustomEmojiRecord, 'fileKey' | 'isAnimated'>;

/** The files with the pictures of emoji. */
@Injectable()
export class CustomEmojiPicturesService {
  constructor(private readonly files: FileStore) {}

  /**
   * Decodes a file and stores the emoji made of it; slow, so call it before a transaction.
   * @throws BadImage, ApiError of the upload
   */
  async store(file: UploadedFile): Promise<StoredPictures> {
    const images = await makeEmojiImages(await buffer(file.stream(MAX_BYTES)));
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
