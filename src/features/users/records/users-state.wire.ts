import { isAdministrator, isGuest, isModerator, isOwner, Role } from '../../../platform/actor';
import type { RawJson } from '../../../platform/http/success-envelope';
import type { AccountRecord } from '../accounts/account.directory';
import { avatarUrl } from '../accounts/avatar-url';
import type { ListedUser, UserRecord } from './user-record.wire';

/** What registering clients learn of their own account. */
interface OwnAccountWire {
  readonly user_id: number;
  readonly email: string;
  readonly delivery_email: string;
  readonly full_name: string;
  readonly avatar_source: string;
  readonly avatar_url: string;
  readonly avatar_url_medium: string;
  readonly is_owner: boolean;
  readonly is_admin: boolean;
  readonly is_moderator: boolean;
  readonly is_guest: boolean;
}

/** Stands for a person without an account, for clients that expect an account. No account has this ID. */
const NOBODY = {
  id: 0,
  deliveryEmail: 'username@example.com',
  fullName: 'Anonymous User',
  role: Role.guest,
  avatarSource: 'G',
  avatarKey: null,
  avatarVersion: 1,
} as const;

/** @param email the address by which the interface names the account */
export function ownAccountWire(account: AccountRecord | typeof NOBODY, email: string): OwnAccountWire {
  return {
    user_id: account.id,
    email,
    delivery_email: account.deliveryEmail,
    full_name: account.fullName,
    avatar_source: account.avatarSource,
    avatar_url: avatarUrl(account),
    avatar_url_medium: avatarUrl(account, 'medium'),
    is_owner: isOwner(account),
    is_admin: isAdministrator(account),
    is_moderator: isModerator(account),
    is_guest: isGuest(account),
  };
}

/** The same keys for people without an account. */
export function nobodysAccountWire(): OwnAccountWire {
  return ownAccountWire(NOBODY, NOBODY.deliveryEmail);
}

/** Who else there is. */
interface OthersState {
  readonly active: RawJson<ListedUser[]>;
  readonly deactivated: RawJson<ListedUser[]>;
  readonly systemBots: readonly UserRecord[];
}

/** The lists of people and bots, and the account of the registering client. */
export function usersState(own: OwnAccountWire, others: OthersState) {
  return {
    realm_users: others.active,
    realm_non_active_users: others.deactivated,
    cross_realm_bots: others.systemBots,
    ...own,
  };
}
