import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { MAX_CODE } from '../../users/users.module';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';

const optional = { optional: true } as const;

/** Longest texts of the forms. */
export const SIGN_IN_LIMITS = { email: 320, password: PASSWORD_RULES.maxLength, code: MAX_CODE } as const;

/** Where somebody wants to go. */
export class NextPageDto {
  /** The page to go to afterwards: a path of this server. */
  @Parameter(text(), optional) next?: string;
}

/** What somebody types who signs in. */
export class SignInDto extends NextPageDto {
  /** E-mail address of the account. */
  @Parameter(text({ trim: true, maxLength: SIGN_IN_LIMITS.email }), optional) username?: string;
  /** Password of the account. */
  @Parameter(text({ maxLength: SIGN_IN_LIMITS.password }), optional) password?: string;
}

/** What somebody types after the password. */
export class SignInCodeDto extends NextPageDto {
  /** The code that the authenticator app shows, or a recovery code. */
  @Parameter(text({ trim: true, maxLength: SIGN_IN_LIMITS.code }), optional) code?: string;
}

/** What a form of somebody with a session brings along. */
export class SessionFormDto {
  /** The token of the session, which the page was given. */
  @Parameter(text(), optional) csrfmiddlewaretoken?: string;
}

/** The secret part of the link of the first start. */
export class FirstSignInCodeDto {
  /** The code in the link. */
  @Parameter(text(), optional) code?: string;
}

/** What the owner chooses at the first start. */
export class FirstSignInDto extends FirstSignInCodeDto {
  /** The password to have from now on. */
  @Parameter(text({ maxLength: SIGN_IN_LIMITS.password }), optional) password?: string;
}
