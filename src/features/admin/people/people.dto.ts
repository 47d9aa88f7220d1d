import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsString, MaxLength } from 'class-validator';
import { ROLE_NAMES, Role, type RoleName } from '../../../platform/actor';
import { PageQuery } from '../../../platform/http/companion/paging';
import { BooleanText, Optional } from '../../../platform/http/companion/valid-input';
import type { NewPerson } from '../../membership';
import type { PersonEdit } from './administer-person.service';
import type { PeopleQuestion } from './people.service';

/** Longer texts are no address and no password; they are refused before they cost time. */
export const MAX_EMAIL = 320;

/** The same for passwords. */
export const MAX_PASSWORD = 4096;

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
  /** Only people who are active, or only those who are deactivated. */
  @Optional() @BooleanText() is_active?: boolean;
  /** Whether to list those who were deleted for good, instead of everybody else. */
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
