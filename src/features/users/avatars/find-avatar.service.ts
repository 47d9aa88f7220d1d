import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { NotLoggedIn } from '../../../platform/errors/shared.errors';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import { avatarUrl, isExternalAvatar, type AvatarSize } from '../accounts/avatar-url';
import type { Viewer } from '../accounts/email-visibility';
import { UserAccess } from '../access/user.access';
import { UserVisibility } from '../access/user-visibility.service';
import { UNKNOWN_USER } from '../records/user-records.api';

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

/** The address of a picture with its version, as pictures may be kept for ever. */
function addressOf(account: AccountRecord, size: AvatarSize): string {
  const address = avatarUrl(account, size);
  return isExternalAvatar(account) ? address : `${address}?version=${account.avatarVersion}`;
}
