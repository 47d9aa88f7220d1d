import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { personOf, type Actor } from '../../../platform/actor';
import { FileStore, type StoredFile } from '../../../platform/files/file-store';
import type { UploadedFile } from '../../../platform/http/body/uploaded-file';
import type { PictureVersion } from '../../../platform/pictures/picture-recipe';
import { Pictures, drawnPicture } from '../../../platform/pictures/pictures';
import type { PictureKind } from './organization-pictures.api';

/** Largest file that is taken, in bytes. */
export const MAX_BYTES = 5 * 1024 * 1024;

/** Side of the icon, in pixels. */
const ICON_SIDE = 100;

/** Within which a logo is shown, in pixels. */
const LOGO_SIZE = { width: 800, height: 100 };

/** Icons fill their square; logos keep their form, and only become smaller. */
const ICON: PictureVersion = { width: ICON_SIDE, height: ICON_SIDE, fit: 'cover', format: 'png' };
const LOGO: PictureVersion = { ...LOGO_SIZE, fit: 'inside', format: 'png' };

/** The files with the icon and the logos. */
@Injectable()
export class OrganizationPictureFiles {
  private lastDrawn: { readonly seed: string; readonly picture: Buffer } | undefined;

  constructor(
    private readonly files: FileStore,
    private readonly pictures: Pictures,
  ) {}

  /**
   * Decodes a file and stores the picture made of it: a PNG, upright and without metadata. This is slow, so call it
   * before a transaction.
   * @returns what names the file
   * @throws ApiError of the picture or the upload
   */
  async store(actor: Actor, kind: PictureKind, file: UploadedFile): Promise<string> {
    const uploaded = await buffer(file.stream(MAX_BYTES));
    const { picture } = await this.pictures.portray(personOf(actor), uploaded, {
      picture: kind === 'icon' ? ICON : LOGO,
    });
    const key = randomBytes(20).toString('hex');
    await this.files.save(picturePath(key), picture!);
    return key;
  }

  /** A picture for an organization that uploaded none. */
  drawn(seed: string): StoredFile {
    if (this.lastDrawn?.seed !== seed) this.lastDrawn = { seed, picture: drawnPicture(seed, ICON_SIDE) };
    const { picture } = this.lastDrawn;
    return { size: picture.length, content: Readable.from([picture], { objectMode: false }) };
  }

  open(key: string): Promise<StoredFile | null> {
    return this.files.open(picturePath(key));
  }

  /** Removes a file that is no longer used, or never was. */
  async discard(key: string | null): Promise<void> {
    if (key !== null) await this.files.delete(picturePath(key));
  }
}

/** Where the file store keeps a picture. */
export function picturePath(key: string): string {
  return `organization/${key}.png`;
}
