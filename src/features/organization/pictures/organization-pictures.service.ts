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

/** A picture, opened for reading. */
interface OpenedPicture extends StoredFile {
  /** Grows with every change, so that a picture of one version can be cached forever. */
  readonly version: number;
}

/** The organization's icon and logos. Administrators change them; everybody on the web may see them. */
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

  /** Where the picture is, or what is shown in its place. */
  urlOf(kind: PictureKind): string {
    return pictureUrl(kind, this.organization.settings[kind]);
  }

  /** @throws MustBeAdministrator, ApiError of the picture or the upload */
  async upload(actor: Actor, kind: PictureKind, file: UploadedFile): Promise<void> {
    await this.replace(actor, kind, await this.files.store(actor, kind, file));
  }

  /** Takes an uploaded picture away. @throws MustBeAdministrator */
  async remove(actor: Actor, kind: PictureKind): Promise<void> {
    await this.replace(actor, kind, null);
  }

  /** The uploaded picture, or one that follows from the organization; undefined names none. @throws NoSuchOrganizationPicture */
  async open(kind: PictureKind | undefined): Promise<OpenedPicture> {
    if (!kind) throw new NoSuchOrganizationPicture();
    const { key, version } = this.organization.settings[kind];
    const file =
      key === null ? this.files.drawn(this.organization.settings.uuid) : await this.files.open(key);
    if (!file) throw new NoSuchOrganizationPicture();
    return { ...file, version };
  }

  /** Removes the file of the old picture once no one is told of it any more, or the new one if the change fails. */
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
