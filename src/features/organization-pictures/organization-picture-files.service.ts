import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import type { Sharp } from 'sharp';
import { FileStore, type StoredFile } from '../../platform/files/file-store';
import type { UploadedFile } from '../../platform/http/body/uploaded-file';
import { drawnPicture } from '../../platform/pictures/drawn-picture';
import { Pictures } from '../../platform/pictures/pictures';
import type { PictureKind } from './organization-pictures.wire';

/** Largest file that is taken, in bytes. */
export const MAX_BYTES = 5 * 1024 * 1024;

/** Side of the icon, in pixels. */
const ICON_SIDE = 100;

/** Within which a logo is shown, in pixels. */
const LOGO_SIZE = { width: 800, height: 100 };

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
  async store(kind: PictureKind, file: UploadedFile): Promise<string> {
    const uploaded = await buffer(file.stream(MAX_BYTES));
    const made = await this.pictures.decode(uploaded, ({ still }) =>
      sized(kind, still.autoOrient()).png().toBuffer(),
    );
    const key = randomBytes(20).toString('hex');
    await this.files.save(picturePath(key), made);
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

/** Icons fill their square; logos keep their form, and only become smaller. */
function sized(kind: PictureKind, picture: Sharp): Sharp {
  return kind === 'icon'
    ? picture.resize(ICON_SIDE, ICON_SIDE, { fit: 'cover' })
    : picture.resize({ ...LOGO_SIZE, fit: 'inside', withoutEnlargement: true });
}
