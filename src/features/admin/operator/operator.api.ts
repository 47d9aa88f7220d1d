import { ROLE_NAMES, roleName, type RoleName } from '../../../platform/actor';
import type { AccountRecord } from '../../users/users.module';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

/** An account as shown on the command line. */
export interface AccountWire {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: RoleName | null;
  readonly active: boolean;
  readonly bot: boolean;
  readonly can_create_users: boolean;
}

/** Converts an account to its form on the command line, with its real address. */
export function accountWire(account: AccountRecord): AccountWire {
  return {
    id: account.id,
    email: account.deliveryEmail,
    name: account.fullName,
    role: roleName(account.role) ?? null,
    active: account.isActive,
    bot: account.isBot,
    can_create_users: account.canCreateUsers,
  };
}

const text = (name: string) => IsString({ message: `${name} must be a text.` });
const flag = (name: string) => IsBoolean({ message: `${name} must be true or false.` });
const role = () => IsIn(ROLE_NAMES, { message: `The role must be one of ${ROLE_NAMES.join(', ')}.` });

/** Input of `user add`. */
export class AddUserInput {
  @text('The address') email!: string;
  @text('The name') name!: string;
  @IsOptional() @role() role?: RoleName;
  /** Generated if omitted. */
  @IsOptional() @text('The password') password?: string;
  @IsOptional() @flag('canCreateUsers') canCreateUsers?: boolean;
}

/** Input of `user list`. */
export class ListUsersInput {
  @IsOptional() @role() role?: RoleName;
  @IsOptional() @flag('inactive') inactive?: boolean;
  @IsOptional() @flag('bots') bots?: boolean;
}

/** Input of commands about one account. */
export class UserInput {
  /** Address or ID. */
  @text('The account') user!: string;
}

/** Input of `user role`. */
export class ChangeRoleInput extends UserInput {
  @role() role!: RoleName;
  /** Unchanged if omitted. */
  @IsOptional() @flag('canCreateUsers') canCreateUsers?: boolean;
}

/** Input of `user reactivate`. */
export class ReactivateUserInput extends UserInput {
  @IsOptional() @flag('withBots') withBots?: boolean;
}

/** Input of `user password`. */
export class SetPasswordInput extends UserInput {
  /** Generated if omitted. */
  @IsOptional() @text('The password') password?: string;
}

/** Input of `user key`. */
export class UserKeyInput extends UserInput {
  @IsOptional() @flag('regenerate') regenerate?: boolean;
}

/** Input of `bot add`. */
export class AddBotInput {
  @text('The name') name!: string;
  @text('The short name') shortName!: string;
  /** Address or ID. */
  @text('The owner') owner!: string;
}

const MAX_DAYS = 36_500;
const DAYS = { message: `The days must be a whole number from 1 to ${MAX_DAYS}.` };

/** Input of `invite`. */
export class InviteInput {
  /** A link for several people if omitted. */
  @IsOptional() @IsString({ message: 'The address must be a text.' }) email?: string;
  @IsOptional()
  @IsIn(ROLE_NAMES, { message: `The role must be one of ${ROLE_NAMES.join(', ')}.` })
  role?: RoleName;
  @IsOptional() @IsInt(DAYS) @Min(1, DAYS) @Max(MAX_DAYS, DAYS) days?: number;
}
