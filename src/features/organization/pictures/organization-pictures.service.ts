import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import {
  NoSuchOrganizationPicture,
  organizationPictureChanged,
  PICTURE_KINDS,
  type PictureKind,
  picturesState,
  pictureUrl,
  pictureWire,
} from './organization-pictures.api';
import { type Actor, personOf } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { FileStore, type StoredFile } from '../../../platform/files/file-store';
import { Hooks } from '../../../platform/hooks/hooks';
import type { UploadedFile } from '../../../platform/http/body/uploaded-file';
import type { PictureVersion } from '../../../platform/pictures/picture-limits';
import { drawnPicture, Pictures } from '../../../platform/pictures/pictures';
import { AuditLog } from '../../audit/audit.module';
import {
  OrganizationDirectory,
  type OrganizationPicture,
} from '../../organization-settings/organization-settings.module';
import { AccountDirectory, ActorTransactions } from '../../users/users.module';

/** Maximum size of an uploaded file, in bytes. */
export const MAX_BYTES = 5 * 1024 * 1024;

/** Width and height of the icon, in pixels. */
const ICON_SIDE = 100;

/** Maximum size of a logo, in pixels. */
const LOGO_SIZE = { width: 800, height: 100 };

/** Icons fill their square; logos keep their aspect ratio, and are only reduced. */
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
   * Decodes a file and stores the resulting image: a PNG, upright and without metadata. Slow, so call it before a
   * transaction.
   * @returns the key of the file
   * @throws ApiError of the image or the upload
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

  /** The image of an organization that has uploaded none. */
  drawn(seed: string): StoredFile {
    if (this.lastDrawn?.seed !== seed) this.lastDrawn = { seed, picture: drawnPicture(seed, ICON_SIDE) };
    const { picture } = this.lastDrawn;
    return { size: picture.length, content: Readable.from([picture], { objectMode: false }) };
  }

  open(key: string): Promise<StoredFile | null> {
    return this.files.open(picturePath(key));
  }

  /** Deletes a file that is not used. */
  async discard(key: string | null): Promise<void> {
    if (key !== null) await this.files.delete(picturePath(key));
  }
}

/** The path of an image in the file store. */
export function picturePath(key: string): string {
  return `organization/${key}.png`;
}

/** An image, opened for reading. */
interface OpenedPicture extends StoredFile {
  /** Incremented with every change, so that an image of one version can be cached forever. */
  readonly version: number;
}

/** The organization's icon and logos. Administrators may change them; they are public. */
@Injectable()
export class OrganizationPicturesService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly files: OrganizationPictureFiles,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm', () => picturesState(PICTURE_KINDS.map((kind) => this.wireOf(kind)))),
    );
  }

  /** The URL of the image, or of its default. */
  urlOf(kind: PictureKind): string {
    return pictureUrl(kind, this.organization.settings[kind]);
  }

  /** @throws MustBeAdministrator, ApiError of the image or the upload */
  async upload(actor: Actor, kind: PictureKind, file: UploadedFile): Promise<void> {
    await this.replace(actor, kind, await this.files.store(actor, kind, file));
  }

  /** Removes an uploaded image. @throws MustBeAdministrator */
  async remove(actor: Actor, kind: PictureKind): Promise<void> {
    await this.replace(actor, kind, null);
  }

  /**
   * Opens the uploaded image, or a generated one; undefined if none has this name.
   * @throws NoSuchOrganizationPicture
   */
  async open(kind: PictureKind | undefined): Promise<OpenedPicture> {
    if (!kind) throw new NoSuchOrganizationPicture();
    const { key, version } = this.organization.settings[kind];
    const file =
      key === null ? this.files.drawn(this.organization.settings.uuid) : await this.files.open(key);
    if (!file) throw new NoSuchOrganizationPicture();
    return { ...file, version };
  }

  /** Deletes the file of the old image after the change is committed, or the new one if the change fails. */
  private async replace(caller: Actor, kind: PictureKind, key: string | null): Promise<void> {
    let unused = key;
    try {
      unused = await this.transactions.runForAdministrator(caller, async (tx, actor) => {
        const before = this.organization.settings[kind];
        const after = { key, version: before.version + 1 };
        await this.organization.store(tx, kind, after);
        this.audit.record(tx, actor, 'organization.picture_changed', {}, { [kind]: key !== null });
        tx.emit(organizationPictureChanged(kind, this.wireOf(kind, after)), this.accounts.active);
        return before.key;
      });
    } finally {
      await this.files.discard(unused);
    }
  }

  private wireOf(kind: PictureKind, picture: OrganizationPicture = this.organization.settings[kind]) {
    return pictureWire(kind, picture);
  }
}
