import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { Role, ROLE_NAMES, roleName, type RoleName } from '../../../platform/actor';
import { type AccountRecord, toWireDate } from '../../users/users.module';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsString, MaxLength } from 'class-validator';
import { PageQuery } from '../../../platform/http/companion/paging';
import { BooleanText, Optional } from '../../../platform/http/companion/valid-input';
import type { NewPerson } from '../../membership/membership.module';
import { ApiError, refusal } from '../../../platform/errors/api-error';
import { explainReferences, type PersonReferences } from './person-references';

/** The filter for a list of people. */
export interface PeopleQuestion {
  readonly search?: string;
  readonly role?: Role;
  readonly isActive?: boolean;
  readonly isDeleted: boolean;
}

/** Changes to a person; omitted properties do not change. */
export interface PersonEdit {
  readonly fullName?: string;
  readonly role?: Role;
  readonly isActive?: boolean;
  /** Whether the bots of a reactivated person are reactivated as well. */
  readonly withBots?: boolean;
  readonly canCreateUsers?: boolean;
  readonly password?: string;
}

/** A person, as the companion interface returns them to administrators and to themselves. */
export interface PersonRecord {
  user_id: number;
  /** The real address; null for a person who was deleted. */
  email: string | null;
  full_name: string;
  /** Null for a number that represents no role. */
  role: RoleName | null;
  is_active: boolean;
  can_create_users: boolean;
  date_joined: string;
  is_deleted?: true;
}

/** A person's bot, with just enough to identify it. */
export interface BotOfPerson {
  user_id: number;
  full_name: string;
}

/** A person after a change. */
export interface ChangedPersonRecord extends PersonRecord {
  /** If `is_active` was set: the person's bots that are still deactivated. */
  inactive_bots?: BotOfPerson[];
}

/** Converts a bot for the response about its owner. */
export function botOfPerson({ id, fullName }: AccountRecord): BotOfPerson {
  return { user_id: id, full_name: fullName };
}

/** The record of a person. */
export function personRecord(account: AccountRecord): PersonRecord {
  return {
    user_id: account.id,
    email: account.isDeleted ? null : account.deliveryEmail,
    full_name: account.fullName,
    role: roleName(account.role) ?? null,
    is_active: account.isActive,
    can_create_users: account.canCreateUsers,
    date_joined: toWireDate(account.dateJoined),
    ...(account.isDeleted ? { is_deleted: true } : {}),
  };
}

/** Longer texts cannot be addresses; they are refused early. */
export const MAX_EMAIL = 320;

/** Longer texts cannot be passwords; they are refused early. */
export const MAX_PASSWORD = PASSWORD_RULES.maxLength;

/** Longer than any name may be; the exact limit is defined with the other rules for names. */
const MAX_TEXT = 1000;

/** Synonyms of role names. */
const SYNONYMS: Readonly<Record<string, RoleName>> = { admin: 'administrator' };

/** The name of a role; upper case, surrounding space and common synonyms are accepted. */
function CanonicalRole(): PropertyDecorator {
  return (target, property) => {
    Transform(({ value }) => (typeof value === 'string' ? canonical(value) : value) as unknown)(
      target,
      property,
    );
    IsIn(ROLE_NAMES)(target, property);
  };
}

function canonical(given: string): string {
  const name = given.trim().toLowerCase();
  return (Object.hasOwn(SYNONYMS, name) && SYNONYMS[name]) || name;
}

/** Query of `GET /api/auth/users`. */
export class PeopleQuery extends PageQuery {
  /** Part of a name or an address, case-insensitive. */
  @Optional() @IsString() @MaxLength(MAX_TEXT) search?: string;
  /** Only people of this role. */
  @Optional() @CanonicalRole() role?: RoleName;
  /** Only active or only deactivated people. */
  @Optional() @BooleanText() is_active?: boolean;
  /** Whether to list deleted people instead of all others. */
  @Optional() @BooleanText() is_deleted?: boolean;
}

/** Body of `POST /api/auth/users`. */
export class CreatePersonDto {
  /** Real email address, which no other account may have. */
  @IsString() @MaxLength(MAX_EMAIL) email!: string;
  /** Full name. */
  @IsString() @MaxLength(MAX_TEXT) full_name!: string;
  /** Password for signing in; must not be easy to guess. */
  @IsString() @MaxLength(MAX_PASSWORD) password!: string;
  /** Role; `member` if omitted. */
  @Optional() @CanonicalRole() role?: RoleName;
}

/** Body of `PATCH /api/auth/users/{user_id}`; omitted properties do not change. */
export class ChangePersonDto {
  /** Full name. */
  @Optional() @IsString() @MaxLength(MAX_TEXT) full_name?: string;
  /** Role; a change ends all sessions of the person. */
  @Optional() @CanonicalRole() role?: RoleName;
  /** Whether the person may sign in and act; `false` ends all their sessions. */
  @Optional() @IsBoolean() is_active?: boolean;
  /** With `is_active`: whether to reactivate the person's bots as well, as far as the caller may. */
  @Optional() @IsBoolean() with_bots?: boolean;
  /** Only owners may change this. */
  @Optional() @IsBoolean() can_create_users?: boolean;
  /** New password; ends all sessions of the person, but keeps their API key. */
  @Optional() @IsString() @MaxLength(MAX_PASSWORD) password?: string;
}

/** Converts the query to a filter. */
export function toPeopleQuestion({ search, role, is_active, is_deleted }: PeopleQuery): PeopleQuestion {
  return { search, role: role && Role[role], isActive: is_active, isDeleted: is_deleted ?? false };
}

/** Converts the body to a new person. */
export function toNewPerson({ email, full_name, password, role }: CreatePersonDto): NewPerson {
  return { email: email.trim(), fullName: full_name, password, role: role && Role[role] };
}

/** Converts the body to an edit. */
export function toPersonEdit(dto: ChangePersonDto): PersonEdit {
  return {
    fullName: dto.full_name,
    role: dto.role && Role[dto.role],
    isActive: dto.is_active,
    withBots: dto.with_bots,
    canCreateUsers: dto.can_create_users,
    password: dto.password,
  };
}

/** The change would remove the caller's own administrator rights. */
export class WouldLockOneselfOut extends ApiError {
  constructor(what: string) {
    super(`You cannot ${what}, because that would lock you out. Ask another administrator.`, {
      companion: { status: 409 },
    });
  }
}

/** The caller's own password can be changed only with the old one. */
export class OwnPasswordNeedsOldOne extends refusal(
  'To change your own password, use PATCH /api/auth/me/password, which requires the current one.',
  {
    companion: { status: 403 },
  },
) {}

/** Something that refers to the person would become invalid. */
export class PersonInUse extends ApiError {
  constructor(advice: string, references: PersonReferences) {
    super(`${explainReferences(references)} ${advice}`, {
      companion: { status: 409, data: { references } },
    });
  }
}
