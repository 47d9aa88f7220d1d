import { isAdministrator, isGuest, isModerator, isOwner, Role } from '../../../platform/actor';
import { type AccountRecord, avatarUrl, isExternalAvatar } from '../accounts/account.directory';
import type { RawJson } from '../../../platform/http/envelope.interceptor';
import { idList } from '../../../platform/http/parameters/further-types';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';

/** The caller's options for records. */
export interface RecordOptions {
  /** Whether the client computes Gravatar URLs itself. */
  readonly clientGravatar: boolean;
  /** Whether to include values of custom profile fields. */
  readonly profileData?: boolean;
}

/** Values of a person's custom profile fields, by field ID. */
export type ProfileData = Record<string, { value: string; rendered_value?: string }>;

/** An account as sent to other people. */
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
 * @param email the address of the account in the API
 * @param shown what the viewer sees, and whether the client computes Gravatar URLs itself
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
 * The record of an account for people without an account: no address, and only what a message shows.
 * @param placeholder an address that merely distinguishes accounts
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

/** The name of a person for viewers who may only know that the account exists. */
export const UNKNOWN_USER = {
  fullName: 'Unknown user',
  avatarUrl: 'https://secure.gravatar.com/avatar/?d=mp&version=1',
} as const;

/** The record for viewers who may only know that the account exists: its ID, and nothing about the person. */
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

/** The client's own account in the initial state. */
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

/** Represents a person without an account, for clients that expect one. No account has this ID. */
const NOBODY = {
  id: 0,
  deliveryEmail: 'username@example.com',
  fullName: 'Anonymous User',
  role: Role.guest,
  avatarSource: 'G',
  avatarKey: null,
  avatarVersion: 1,
} as const;

/** @param email the address of the account in the API */
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

/** The other accounts. */
interface OthersState {
  readonly active: RawJson<ListedUser[]>;
  readonly deactivated: RawJson<ListedUser[]>;
  readonly systemBots: readonly UserRecord[];
}

/** The lists of people and bots, and the client's own account. */
export function usersState(own: OwnAccountWire, others: OthersState) {
  return {
    realm_users: others.active,
    realm_non_active_users: others.deactivated,
    cross_realm_bots: others.systemBots,
    ...own,
  };
}

/** Options for user records. */
class RecordOptionsDto {
  /** Whether the client computes Gravatar URLs itself. */
  @Parameter(json.boolean(), { default: true }) client_gravatar!: boolean;
  /** Whether records include values of custom profile fields. */
  @Parameter(json.boolean(), { default: false }) include_custom_profile_fields!: boolean;
}

/** Parameters of `GET /users`. */
export class ListUsersDto extends RecordOptionsDto {
  /** IDs of the accounts to list; all by default. */
  @Parameter(idList(), { optional: true, example: [8, 9] }) user_ids?: number[];
}

/** Parameters of `GET /users/{user_id}`. */
export class GetUserDto extends RecordOptionsDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
}

/** Parameters of `GET /users/{email}`. */
export class GetUserByEmailDto extends RecordOptionsDto {
  /** Address of the account, real or as shown in the API. */
  @PathParameter(text()) email!: string;
}

/** Converts the parameters to options. */
export function toRecordOptions(dto: RecordOptionsDto): RecordOptions {
  return { clientGravatar: dto.client_gravatar, profileData: dto.include_custom_profile_fields };
}

/** A change to an account, as one group of keys. */
export interface PersonChange {
  readonly full_name?: string;
  /** The API address. */
  readonly new_email?: string;
  /** The real address; null for recipients who no longer see it. */
  readonly delivery_email?: string | null;
  readonly role?: number;
  /** Sent with the time zone. */
  readonly email?: string;
  readonly timezone?: string;
  readonly bot_owner_id?: number | null;
  readonly is_active?: boolean;
  readonly is_deleted?: true;
  /** Sent when the account is used for the first time. */
  readonly date_joined?: string;
  readonly is_imported_stub?: false;
  readonly avatar_source?: string;
  readonly avatar_url?: string;
  readonly avatar_url_medium?: string;
  readonly avatar_version?: number;
  readonly custom_profile_field?: {
    readonly id: number;
    /** Null if it is now empty. */
    readonly value: string | null;
    readonly rendered_value?: string;
  };
}

/** An account and its change. */
interface PersonUpdate extends PersonChange {
  readonly user_id: number;
}

/** A person joined, or became visible to a guest. */
export const userAdded = defineEvent<{ person: UserRecord }>('realm_user', 'add');

/** A person is no longer visible to a guest. */
export const userRemoved = defineEvent<{ person: { user_id: number; full_name: string } }>(
  'realm_user',
  'remove',
);

/** An account changed. */
export const userUpdated = defineEvent<{ person: PersonUpdate }>('realm_user', 'update');
