import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { ApiError, refusal } from '../../platform/errors/api-error';

/** Addresses of the people as whom anyone can sign in without a password. */
export interface DevelopmentPeople {
  readonly administrators: readonly string[];
  readonly others: readonly string[];
}

/** The answer of `GET /dev_list_users`. */
export type DevelopmentPeopleWire = ReturnType<typeof developmentPeople>;

/** @param address of the organization */
export function developmentPeople({ administrators, others }: DevelopmentPeople, address: string) {
  const withAddress = (emails: readonly string[]) => emails.map((email) => ({ email, realm_url: address }));
  return { direct_admins: withAddress(administrators), direct_users: withAddress(others) };
}

/** Parameters of `POST /dev_fetch_api_key`. */
export class DevelopmentKeyDto {
  /** E-mail address of the account. */
  @Parameter(text({ trim: true })) username!: string;
}

/** Parameters of `POST /fetch_api_key`. */
export class FetchApiKeyDto {
  /** E-mail address of the account; a browser with a session leaves it out. */
  @Parameter(text({ trim: true }), { optional: true }) username?: string;
  /** Password of the account. */
  @Parameter(text()) password!: string;
}

/** Address and password do not match, or no account has the address. */
export class AuthenticationFailed extends refusal('Your username or password is incorrect', {
  code: 'AUTHENTICATION_FAILED',
  status: 401,
}) {}

/** The password is right, but the account is deactivated. */
export class SignInRefused extends refusal('Account is deactivated', {
  code: 'USER_DEACTIVATED',
  status: 401,
}) {}

/** The key in the address is none, or belongs to no bot. */
export class InvalidApiKey extends ApiError {
  constructor(message = 'Invalid API key') {
    super(message, { code: 'INVALID_API_KEY', status: 401 });
  }
}

/** The endpoint hands out keys without asking for a password, which only development servers do. */
export class NotInProduction extends refusal('Endpoint not available in production.') {}

/** What was given as an address is not one. */
export class NoEmailAddress extends refusal('Enter a valid email address.') {}

/** The organization has switched signing in by password off. */
export class PasswordSignInOff extends refusal('Password authentication is disabled in this organization', {
  code: 'PASSWORD_AUTH_DISABLED',
  status: 401,
}) {}

/** The organization has switched signing in without a password off. */
export class DevelopmentSignInOff extends refusal('DevAuthBackend not enabled.') {}

/** A signed-in user sent a wrong password. */
export class PasswordIncorrect extends refusal('Password is incorrect.') {}

/** The password is right, but the organization requires a second factor, which the account does not have. */
export class KeyNeedsNewFactor extends refusal(
  'Your organization requires a second factor. Sign in with the browser to set it up.',
  { code: 'SECOND_FACTOR_REQUIRED', status: 401 },
) {}

/** The password is right, but the account has a second factor, which programs with a password cannot give. */
export class KeyNeedsSecondFactor extends refusal(
  'This account has a second factor. Sign in with the browser, or use an API key from your settings.',
  { code: 'SECOND_FACTOR_REQUIRED', status: 401 },
) {}
