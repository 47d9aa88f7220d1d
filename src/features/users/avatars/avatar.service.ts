import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { type Actor, isAdministrator, personOf } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { FileStore, type StoredFile } from '../../../platform/files/file-store';
import type { UploadedFile } from '../../../platform/http/body/uploaded-file';
import { Database } from '../../../platform/database/database.service';
import { NotLoggedIn } from '../../../platform/errors/shared.errors';
import type { PictureVersion } from '../../../platform/pictures/picture-limits';
import { drawnPicture, Pictures } from '../../../platform/pictures/pictures';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { UserAccess, UserVisibility } from '../access/user.access';
import {
  AccountDirectory,
  type AccountRecord,
  AVATAR_SIDES,
  avatarFileName,
  type AvatarSize,
  avatarUrl,
  initialAvatar,
  isExternalAvatar,
  newAvatarKey,
} from '../accounts/account.directory';
import type { Account } from '../accounts/account.entity';
import { AvatarChangesDisabled, NoSuchAvatar, type Viewer } from '../accounts/accounts.api';
import { AccountChanges } from '../records/account-changes.service';
import { UNKNOWN_USER } from '../records/user-records.api';

/**
 * Decodes an image and creates a PNG of each size: square, upright and without metadata.
 * @param person to whom the processing time is charged
 * @throws ApiError of the image
 */
export async function makeAvatars(
  pictures: Pictures,
  person: number,
  file: Buffer,
): Promise<Record<AvatarSize, Buffer>> {
  const { small, medium } = await pictures.portray(person, file, {
    small: square('small'),
    medium: square('medium'),
  });
  return { small: small!, medium: medium! };
}

function square(size: AvatarSize): PictureVersion {
  const side = AVATAR_SIDES[size];
  return { width: side, height: side, fit: 'cover', format: 'png' };
}

/** Maximum size of an uploaded file, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

const SIZES: readonly AvatarSize[] = ['small', 'medium'];

/** Avatars of people and bots: uploads are stored under unguessable names. */
@Injectable()
export class AvatarService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly files: FileStore,
    private readonly pictures: Pictures,
  ) {}

  /**
   * Makes the file the caller's avatar.
   * @returns its URL
   * @throws AvatarChangesDisabled, ApiError of the image or the upload
   */
  async upload(actor: Actor, file: UploadedFile): Promise<string> {
    this.requireAllowed(actor);
    const avatarKey = await this.store(actor, file);
    return this.replace(actor.userId, avatarKey);
  }

  /**
   * Removes the caller's uploaded avatar, which restores the organization's default one.
   * @returns its URL
   * @throws AvatarChangesDisabled
   */
  async remove(actor: Actor): Promise<string> {
    this.requireAllowed(actor);
    return this.replace(actor.userId, null);
  }

  /**
   * Decodes a file of the caller and stores the avatar in every size. Slow, so call it before a transaction.
   * @returns the key for {@link use}
   * @throws ApiError of the image or the upload
   */
  async store(actor: Actor, file: UploadedFile): Promise<string> {
    const avatars = await makeAvatars(this.pictures, personOf(actor), await buffer(file.stream(MAX_BYTES)));
    const avatarKey = newAvatarKey();
    for (const size of SIZES) await this.files.save(pathOf(avatarKey, size), avatars[size]);
    return avatarKey;
  }

  /** Sets the avatar of an account to a stored one, or with null to the organization's default. */
  async use(tx: Transaction, row: Account, avatarKey: string | null): Promise<void> {
    const initial = initialAvatar(this.organization.settings.default_avatar_source);
    Object.assign(row, avatarKey === null ? initial : { avatarSource: 'U', avatarKey });
    row.avatarVersion++;
    await this.changes.announceAvatar(tx, row);
  }

  /** Deletes the files of an avatar that is not used. */
  async discard(avatarKey: string | null): Promise<void> {
    if (avatarKey === null) return;
    for (const path of avatarPaths(avatarKey)) await this.files.delete(path);
  }

  /** Opens the file for the last segment of an avatar's URL. @throws NoSuchAvatar */
  async open(fileName: string): Promise<StoredFile> {
    const [, avatarKey, medium] = /^([0-9a-f]{40})(-medium)?\.png$/.exec(fileName) ?? [];
    if (avatarKey === undefined) throw new NoSuchAvatar();
    const size = medium ? 'medium' : 'small';
    const file = await this.files.open(pathOf(avatarKey, size));
    return file ?? this.draw(avatarKey, size);
  }

  /** Generates an avatar from the account ID when it is first requested. @throws NoSuchAvatar */
  private async draw(avatarKey: string, size: AvatarSize): Promise<StoredFile> {
    const isDrawn = (account: AccountRecord) =>
      account.avatarSource === 'J' && account.avatarKey === avatarKey;
    const owner = this.accounts.all().find(isDrawn);
    if (!owner) throw new NoSuchAvatar();
    const drawn = drawnPicture(`${this.organization.settings.uuid}:${owner.id}`, AVATAR_SIDES[size]);
    await this.files.save(pathOf(avatarKey, size), drawn);
    return { size: drawn.length, content: Readable.from([drawn], { objectMode: false }) };
  }

  private requireAllowed(actor: Actor): void {
    const isFixed = this.organization.settings.avatar_changes_disabled;
    if (isFixed && !isAdministrator(actor)) throw new AvatarChangesDisabled();
  }

  /** Deletes the files of the old avatar after the change is committed, or those of the new one if the change fails. */
  private async replace(userId: number, avatarKey: string | null): Promise<string> {
    let unused = avatarKey;
    try {
      return await this.transactions.runExclusive(async (tx) => {
        const row = await this.changes.load(tx, userId);
        const before = row.avatarKey;
        await this.use(tx, row, avatarKey);
        await this.changes.save(tx, row);
        unused = before;
        return avatarUrl(row);
      });
    } finally {
      await this.discard(unused);
    }
  }
}

/** The paths of an uploaded avatar's files in the file store. */
export function avatarPaths(avatarKey: string): string[] {
  return SIZES.map((size) => pathOf(avatarKey, size));
}

/** The first two letters name a folder, so that no folder contains a hundred thousand files. */
function pathOf(avatarKey: string, size: AvatarSize): string {
  return `avatars/${avatarKey.slice(0, 2)}/${avatarFileName(avatarKey, size)}`;
}

/**
 * The URLs of people's avatars, for clients that only know a person's ID or address. Unknown and invisible people get
 * an ordinary image as well, so nothing reveals whether they exist.
 */
@Injectable()
export class FindAvatarService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly visibility: UserVisibility,
    private readonly organization: OrganizationDirectory,
    private readonly database: Database,
  ) {}

  /**
   * @param viewer null for a person without an account
   * @throws NotLoggedIn if people without an account may read nothing of the organization
   */
  async byId(viewer: Viewer | null, userId: number, size: AvatarSize): Promise<string> {
    if (viewer === null && !this.organization.isOpenToSpectators) throw new NotLoggedIn();
    const account = await this.ifSeen(viewer, this.accounts.byId(userId));
    return account ? addressOf(account, size) : UNKNOWN_USER.avatarUrl;
  }

  /**
   * The external provider publishes images by address, so an address that the viewer cannot see counts as unknown.
   * @throws NotLoggedIn
   */
  async byEmail(viewer: Viewer | null, email: string, size: AvatarSize): Promise<string> {
    if (viewer === null) throw new NotLoggedIn();
    const account = await this.ifSeen(viewer, this.access.byVisibleEmail(viewer, email));
    if (account) return addressOf(account, size);
    return avatarUrl({ deliveryEmail: email, avatarSource: 'G', avatarKey: null, avatarVersion: 1 }, size);
  }

  private async ifSeen(
    viewer: Viewer | null,
    account: AccountRecord | undefined,
  ): Promise<AccountRecord | undefined> {
    const sees = await this.visibility.filterFor(this.database.read, viewer);
    return account && sees(account) ? account : undefined;
  }
}

/** The URL of an avatar with its version, since avatars may be cached forever. */
function addressOf(account: AccountRecord, size: AvatarSize): string {
  const address = avatarUrl(account, size);
  return isExternalAvatar(account) ? address : `${address}?version=${account.avatarVersion}`;
}
