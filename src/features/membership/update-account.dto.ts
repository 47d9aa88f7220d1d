import { Role } from '../../platform/actor';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import type { AccountUpdate } from './update-account.service';

type GivenValue = string | number[] | null;

const optional = { optional: true } as const;

/** What may change about an account. */
class AccountUpdateDto {
  @Parameter(text(), optional) full_name?: string;
  @Parameter(json.oneOf(Object.values(Role)), optional) role?: Role;
  @Parameter(
    json.array(
      json.object({
        id: json.integer(),
        value: json.nullable(
          json.union({ str: json.text(), 'list[int]': json.array(json.integer()) }),
          optional,
        ),
      }),
    ),
    optional,
  )
  profile_data?: { id: number; value?: GivenValue }[];
  @Parameter(text({ trim: true }), optional) new_email?: string;
  @Parameter(json.boolean(), optional) can_create_users?: boolean;
}

export class UpdateUserDto extends AccountUpdateDto {
  @PathParameter() user_id!: number;
}

export class UpdateUserByEmailDto extends AccountUpdateDto {
  @PathParameter(text()) email!: string;
}

export class UserIdDto {
  @PathParameter() user_id!: number;
}

/** Turns the parameters into the words used inside; an empty value takes away what was there. */
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
