import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { idList, listedNumber } from '../../../platform/http/parameters/further-types';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { Role } from '../../../platform/actor';
import { json } from '../../../platform/http/parameters/json';
import { FULL_NAME_LENGTHS } from '../../users/users.module';
import type { AccountUpdate } from './update-account.service';

/** Parameters of `POST /users`. */
export class CreateUserDto {
  /** Real address, which no other account may have. */
  @Parameter(text({ trim: true })) email!: string;
  /** Password for signing in; must not be easy to guess. */
  @Parameter(text({ maxLength: PASSWORD_RULES.maxLength })) password!: string;
  /** Full name. */
  @Parameter(text(), { checked: FULL_NAME_LENGTHS }) full_name!: string;
}

type GivenValue = string | number[] | null;

const optional = { optional: true } as const;

/** Maximum number of profile field values in one request. */
const MAX_PROFILE_VALUES = 500;

/** Changes to an account. */
class AccountUpdateDto {
  /** Full name. */
  @Parameter(text(), { ...optional, checked: FULL_NAME_LENGTHS }) full_name?: string;
  /** Role, by its number. */
  @Parameter(listedNumber(Object.values(Role)), optional) role?: Role;
  /** Values of custom profile fields; null or an empty value removes one. */
  @Parameter(
    json.array(
      json.object({
        id: json.integer(),
        value: json.nullable(json.union({ str: json.text(), 'list[int]': idList() }), optional),
      }),
      { maxItems: MAX_PROFILE_VALUES },
    ),
    { ...optional, example: [{ id: 11, value: 'Rome' }] },
  )
  profile_data?: { id: number; value?: GivenValue }[];
  /** New email address; only owners with `can_create_users` may change it. */
  @Parameter(text({ trim: true }), optional) new_email?: string;
  /** Whether the person may create accounts; only owners may change this. */
  @Parameter(json.boolean(), optional) can_create_users?: boolean;
}

/** Parameters of `PATCH /users/{user_id}`. */
export class UpdateUserDto extends AccountUpdateDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
}

/** Parameters of `PATCH /users/{email}`. */
export class UpdateUserByEmailDto extends AccountUpdateDto {
  /** Address of the account, real or as shown in the API. */
  @PathParameter(text()) email!: string;
}

/** The account in the path. */
export class UserIdDto {
  /** ID of the account. */
  @PathParameter() user_id!: number;
}

/** Parameters of `DELETE /users/{user_id}`. */
export class DeactivateUserDto extends UserIdDto {
  /** What to delete in addition; refused unless empty, as deactivation deletes nothing. */
  @Parameter(
    json.object(
      {
        delete_profile: json.boolean(optional),
        delete_public_channel_messages: json.boolean(optional),
        delete_private_channel_messages: json.boolean(optional),
        delete_direct_messages: json.boolean(optional),
      },
      // Otherwise a request to delete under another name would be accepted, and nothing deleted.
      { isClosed: true },
    ),
    { ...optional, example: { delete_profile: false } },
  )
  actions?: Partial<Record<string, boolean>>;
}

/** Converts the parameters to an update; an empty value removes the old one. */
export function toAccountUpdate(dto: AccountUpdateDto): AccountUpdate {
  return {
    fullName: dto.full_name,
    role: dto.role,
    profileData: dto.profile_data?.map(({ id, value }) => ({
      fieldId: id,
      value: value?.length ? value : null,
    })),
    email: dto.new_email,
    canCreateUsers: dto.can_create_users,
  };
}
