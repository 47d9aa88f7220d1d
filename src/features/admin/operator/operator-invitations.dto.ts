import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { ROLE_NAMES, type RoleName } from '../../../platform/actor';

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
