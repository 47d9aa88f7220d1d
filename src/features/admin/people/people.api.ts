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

/** Which people an administrator looks for. */
export interface PeopleQuestion {
  readonly search?: string;
  readonly role?: Role;
  readonly isActive?: boolean;
  readonly isDeleted: boolean;
}

/** What an administrator wants to change about a person; what is omitted stays. */
export interface PersonEdit {
  readonly fullName?: string;
  readonly role?: Role;
  readonly isActive?: boolean;
  /** Whether the bots of a person who is brought back come as well. */
  readonly withBots?: boolean;
  readonly canCreateUsers?: boolean;
  readonly password?: string;
}

/** A person, as the companion interface shows them to administrators and to themselves. */
export interface PersonRecord {
  user_id: number;
  /** The real address; null for a person who was deleted. */
  email: string | null;
  full_name: string;
  /** Null for a number that stands for no role. */
  role: RoleName | null;
  is_active: boolean;
  can_create_users: boolean;
  date_joined: string;
  is_deleted?: true;
}

/** A bot of a person, as much as it takes to know which one is meant. */
export interface BotOfPerson {
  user_id: number;
  full_name: string;
}

/** A person after a change. */
export interface ChangedPersonRecord extends PersonRecord {
  /** Where `is_active` was set: the bots of the person that are still deactivated. */
  inactive_bots?: BotOfPerson[];
}

/** A bot in the answer about its owner. */
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

/** Longer texts are no address and no password; they are refused before they cost time. */
export const MAX_EMAIL = 320;

/** The same for passwords. */
export const MAX_PASSWORD = PASSWORD_RULES.maxLength;

/** Longer than any name may be; the exact limit is with the other rules for names. */
const MAX_TEXT = 1000;

/** Other words for a role. */
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
  /** Part of a name or an address, in any case. */
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
  /** Real address, which no other account may have. */
  @IsString() @MaxLength(MAX_EMAIL) email!: string;
  /** Name that is shown. */
  @IsString() @MaxLength(MAX_TEXT) full_name!: string;
  /** Password to sign in with; it has to be hard enough to guess. */
  @IsString() @MaxLength(MAX_PASSWORD) password!: string;
  /** A member if omitted. */
  @Optional() @CanonicalRole() role?: RoleName;
}

/** Body of `PATCH /api/auth/users/{user_id}`; what is omitted stays. */
export class ChangePersonDto {
  /** Name that is shown. */
  @Optional() @IsString() @MaxLength(MAX_TEXT) full_name?: string;
  /** Another role ends all sessions of the person. */
  @Optional() @CanonicalRole() role?: RoleName;
  /** Whether the person may sign in and act; `false` ends all their sessions. */
  @Optional() @IsBoolean() is_active?: boolean;
  /** Where `is_active` brings the person back: whether those of their bots that the caller may bring back come as well. */
  @Optional() @IsBoolean() with_bots?: boolean;
  /** Only owners may change this. */
  @Optional() @IsBoolean() can_create_users?: boolean;
  /** Ends all sessions of the person; their API key stays. */
  @Optional() @IsString() @MaxLength(MAX_PASSWORD) password?: string;
}

/** Converts the query to a question. */
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

/** The change would take away the caller's own administration rights. */
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

/** Something that refers to the person would become invalid by the change. */
export class PersonInUse extends ApiError {
  constructor(advice: string, references: PersonReferences) {
    super(`${explainReferences(references)} ${advice}`, {
      companion: { status: 409, data: { references } },
    });
  }
}
