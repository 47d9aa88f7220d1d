import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { ROLE_NAMES, type RoleName } from '../../../platform/actor';

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
  /** As it was if omitted. */
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
