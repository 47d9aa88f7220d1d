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
 * Decodes a picture and makes a PNG of each size from it: square, upright and without metadata.
 * @param person whose turn it takes
 * @throws ApiError of the picture
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

/** Size of the largest accepted file, in bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

const SIZES: readonly AvatarSize[] = ['small', 'medium'];

/** Pictures of people and bots: uploaded ones are stored under names that cannot be guessed. */
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
   * Makes the file the caller's picture.
   * @returns its address
   * @throws AvatarChangesDisabled, ApiError of the picture or the upload
   */
  async upload(actor: Actor, file: UploadedFile): Promise<string> {
    this.requireAllowed(actor);
    const avatarKey = await this.store(actor, file);
    return this.replace(actor.userId, avatarKey);
  }

  /**
   * Removes the caller's uploaded picture, which leaves the one that the organization gives to those without one.
   * @returns its address
   * @throws AvatarChangesDisabled
   */
  async remove(actor: Actor): Promise<string> {
    this.requireAllowed(actor);
    return this.replace(actor.userId, null);
  }

  /**
   * Decodes a file of the caller's and stores the picture in every size. This is slow, so call it before a transaction.
   * @returns the key for {@link use}
   * @throws ApiError of the picture or the upload
   */
  async store(actor: Actor, file: UploadedFile): Promise<string> {
    const avatars = await makeAvatars(this.pictures, personOf(actor), await buffer(file.stream(MAX_BYTES)));
    const avatarKey = newAvatarKey();
    for (const size of SIZES) await this.files.save(pathOf(avatarKey, size), avatars[size]);
    return avatarKey;
  }

  /** Gives an account a stored picture, or with null that which the organization gives to those without one. */
  async use(tx: Transaction, row: Account, avatarKey: string | null): Promise<void> {
    const initial = initialAvatar(this.organization.settings.default_avatar_source);
    Object.assign(row, avatarKey === null ? initial : { avatarSource: 'U', avatarKey });
    row.avatarVersion++;
    await this.changes.announceAvatar(tx, row);
  }

  /** Removes the files of a picture that is no longer used, or never was. */
  async discard(avatarKey: string | null): Promise<void> {
    if (avatarKey === null) return;
    for (const path of avatarPaths(avatarKey)) await this.files.delete(path);
  }

  /** The file behind the last part of a picture's address. @throws NoSuchAvatar */
  async open(fileName: string): Promise<StoredFile> {
    const [, avatarKey, medium] = /^([0-9a-f]{40})(-medium)?\.png$/.exec(fileName) ?? [];
    if (avatarKey === undefined) throw new NoSuchAvatar();
    const size = medium ? 'medium' : 'small';
    const file = await this.files.open(pathOf(avatarKey, size));
    return file ?? this.draw(avatarKey, size);
  }

  /** Draws a picture that follows from the ID of an account when it is asked for first. @throws NoSuchAvatar */
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

  /**
   * Removes the files of the old picture once no one is told of them any more, or those of the new one if the change
   * fails.
   */
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

/** Where the file store keeps the files of an uploaded picture. */
export function avatarPaths(avatarKey: string): string[] {
  return SIZES.map((size) => pathOf(avatarKey, size));
}

/** The first two letters name a folder, so that no folder gets a hundred thousand files. */
function pathOf(avatarKey: string, size: AvatarSize): string {
  return `avatars/${avatarKey.slice(0, 2)}/${avatarFileName(avatarKey, size)}`;
}

/**
 * Where the pictures of people are, for clients that know a person's ID or address only. Whether there is such a person,
 * and whether the viewer may know of them, changes the picture and nothing else.
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
   * @throws NotLoggedIn where those may read nothing of the organization
   */
  async byId(viewer: Viewer | null, userId: number, size: AvatarSize): Promise<string> {
    if (viewer === null && !this.organization.isOpenToSpectators) throw new NotLoggedIn();
    const account = await this.ifSeen(viewer, this.accounts.byId(userId));
    return account ? addressOf(account, size) : UNKNOWN_USER.avatarUrl;
  }

  /**
   * Pictures by address are public at the external provider, so an address hidden from the viewer is treated as
   * unknown.
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

/** The address of a picture with its version, as pictures may be cached forever. */
function addressOf(account: AccountRecord, size: AvatarSize): string {
  const address = avatarUrl(account, size);
  return isExternalAvatar(account) ? address : `${address}?version=${account.avatarVersion}`;
}
