import { isAdministrator, isGuest, isOwner, Role } from '../../../platform/actor';
import type { AccountRecord } from '../accounts/account.directory';
import { avatarUrl, isExternalAvatar } from '../accounts/avatar-url';

/** Values of a person's custom profile fields, by field ID. */
export type ProfileData = Record<string, { value: string; rendered_value?: string }>;

/** What people see of an account. */
export interface UserRecord {
  email: string;
  user_id: number;
  avatar_version: number;
  is_admin: boolean;
  is_owner: boolean;
  is_guest: boolean;
  role: Role;
  is_bot: boolean;
  bot_type: number | null;
  bot_owner_id: number | null;
  full_name: string;
  timezone: string;
  is_active: boolean;
  date_joined: string;
  delivery_email: string | null;
  is_imported_stub: boolean;
  avatar_url: string | null;
  is_deleted?: true;
  is_system_bot?: true;
  profile_data?: ProfileData;
}

/**
 * The record of an account, without profile data.
 * @param email the address by which the interface names the account
 * @param shown what the viewer sees, and whether the client works out addresses of external pictures
 */
export function userRecord(
  account: Omit<AccountRecord, 'settings'>,
  email: string,
  shown: { deliveryEmail: boolean; clientGravatar: boolean },
): UserRecord {
  const leaveAvatarToClient = shown.clientGravatar && shown.deliveryEmail && isExternalAvatar(account);
  return {
    email,
    user_id: account.id,
    avatar_version: account.avatarVersion,
    is_admin: isAdministrator(account),
    is_owner: isOwner(account),
    is_guest: isGuest(account),
    role: account.role,
    is_bot: account.isBot,
    bot_type: account.botType,
    bot_owner_id: account.botOwnerId,
    full_name: account.fullName,
    timezone: account.timezone,
    is_active: account.isActive,
    date_joined: toWireDate(account.dateJoined),
    delivery_email: shown.deliveryEmail ? account.deliveryEmail : null,
    is_imported_stub: account.isImportedStub,
    avatar_url: leaveAvatarToClient ? null : avatarUrl(account),
    ...(account.isDeleted ? { is_deleted: true } : {}),
    ...(account.isSystemBot ? { is_system_bot: true } : {}),
  };
}

/**
 * The record of an account for people without an account: no address, and only what is shown beside a message.
 * @param placeholder the address that only tells accounts apart
 */
export function recordForAnybody(account: Omit<AccountRecord, 'settings'>, placeholder: string): UserRecord {
  const record = userRecord(account, placeholder, { deliveryEmail: false, clientGravatar: false });
  return { ...record, timezone: '', date_joined: record.date_joined.slice(0, 10) };
}

/** A record in a list whose accounts are all active, or all deactivated. */
export type ListedUser = Omit<UserRecord, 'is_active'>;

/** A record for a list whose accounts are all active, or all deactivated. */
export function withoutActivity({ is_active: _, ...rest }: UserRecord): ListedUser {
  return rest;
}

/** How a person is shown to a viewer who may know only that the account exists. */
export const UNKNOWN_USER = {
  fullName: 'Unknown user',
  avatarUrl: 'https://secure.gravatar.com/avatar/?d=mp&version=1',
} as const;

/** The record for a viewer who may know only that the account exists: its ID, and nothing about the person. */
export function unknownUserRecord({
  user_id,
  email,
  is_bot,
}: Pick<UserRecord, 'user_id' | 'email' | 'is_bot'>): UserRecord {
  return {
    email,
    user_id,
    avatar_version: 1,
    is_admin: false,
    is_owner: false,
    is_guest: false,
    role: Role.member,
    is_bot,
    bot_type: null,
    bot_owner_id: null,
    full_name: UNKNOWN_USER.fullName,
    timezone: '',
    is_active: true,
    date_joined: toWireDate(0),
    delivery_email: null,
    is_imported_stub: false,
    avatar_url: UNKNOWN_USER.avatarUrl,
    profile_data: {},
  };
}

/** ISO 8601 in UTC with minutes, such as `2019-10-20T07:50+00:00`. */
export function toWireDate(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16)}+00:00`;
}
