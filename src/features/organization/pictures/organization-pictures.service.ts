import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import type { StoredFile } from '../../../platform/files/file-store';
import { Hooks } from '../../../platform/hooks/hooks';
import type { UploadedFile } from '../../../platform/http/body/uploaded-file';
import { AuditLog } from '../../audit/audit.module';
import {
  OrganizationDirectory,
  type OrganizationPicture,
} from '../../organization-settings/organization-settings.module';
import { AccountDirectory, ActorTransactions } from '../../users/users.module';
import { OrganizationPictureFiles } from './organization-picture-files.service';
import {
  NoSuchOrganizationPicture,
  organizationPictureChanged,
  PICTURE_KINDS,
  type PictureKind,
  picturesState,
  pictureUrl,
  pictureWire,
} from './organization-pictures.api';

/** A picture, opened for reading. */
export interface OpenedPicture extends StoredFile {
  /** Grows with every change, so that a picture of one version can be kept for ever. */
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
