import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';

const optional = { optional: true } as const;

/** Longest texts of the forms. */
export const RESET_LIMITS = { email: 320, password: PASSWORD_RULES.maxLength } as const;

/** Form fields of a password reset request. */
export class RequestResetDto {
  /** Real address of the account. */
  @Parameter(text({ trim: true, maxLength: RESET_LIMITS.email }), optional) email?: string;
}

/** The secret part of a link in the path; empty where there is none. */
export class ResetTokenDto {
  /** Secret part of the link from the mail. */
  @PathParameter(text({ unchecked: true })) reset_token!: string;
}

/** Form fields of the page for a new password. */
export class NewPasswordDto extends ResetTokenDto {
  /** New password; it has to be hard enough to guess. */
  @Parameter(text({ maxLength: RESET_LIMITS.password }), optional) password?: string;
  /** Real address of the account, where the path has no secret. */
  @Parameter(text({ trim: true, maxLength: RESET_LIMITS.email }), optional) email?: string;
}
