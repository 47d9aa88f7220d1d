import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { ApiError, refusal } from '../../platform/errors/api-error';

/** Addresses of the people who can sign in without a password. */
export interface DevelopmentPeople {
  readonly administrators: readonly string[];
  readonly others: readonly string[];
}

/** The response of `GET /dev_list_users`. */
export type DevelopmentPeopleWire = ReturnType<typeof developmentPeople>;

/** @param address of the organization */
export function developmentPeople({ administrators, others }: DevelopmentPeople, address: string) {
  const withAddress = (emails: readonly string[]) => emails.map((email) => ({ email, realm_url: address }));
  return { direct_admins: withAddress(administrators), direct_users: withAddress(others) };
}

/** Parameters of `POST /dev_fetch_api_key`. */
export class DevelopmentKeyDto {
  /** Email address of the account. */
  @Parameter(text({ trim: true })) username!: string;
}

/** Parameters of `POST /fetch_api_key`. */
export class FetchApiKeyDto {
  /** Email address of the account; omitted by a browser with a session. */
  @Parameter(text({ trim: true }), { optional: true }) username?: string;
  /** Password of the account. */
  @Parameter(text()) password!: string;
}

/** Address and password do not match, or no account has the address. */
export class AuthenticationFailed extends refusal('Your username or password is incorrect', {
  code: 'AUTHENTICATION_FAILED',
  status: 401,
}) {}

/** The password is correct, but the account is deactivated. */
export class SignInRefused extends refusal('Account is deactivated', {
  code: 'USER_DEACTIVATED',
  status: 401,
}) {}

/** The key in the URL is invalid, or belongs to no bot. */
export class InvalidApiKey extends ApiError {
  constructor(message = 'Invalid API key') {
    super(message, { code: 'INVALID_API_KEY', status: 401 });
  }
}

/** The endpoint returns keys without a password, which only development servers do. */
export class NotInProduction extends refusal('Endpoint not available in production.') {}

/** The text is not an email address. */
export class NoEmailAddress extends refusal('Enter a valid email address.') {}

/** The organization has disabled sign-in by password. */
export class PasswordSignInOff extends refusal('Password authentication is disabled in this organization', {
  code: 'PASSWORD_AUTH_DISABLED',
  status: 401,
}) {}

/** The organization has disabled sign-in without a password. */
export class DevelopmentSignInOff extends refusal('DevAuthBackend not enabled.') {}

/** A signed-in user sent a wrong password. */
export class PasswordIncorrect extends refusal('Password is incorrect.') {}

/** The password is correct, but the organization requires a second factor, which the account does not have. */
export class KeyNeedsNewFactor extends refusal(
  'Your organization requires a second factor. Sign in with the browser to set it up.',
  { code: 'SECOND_FACTOR_REQUIRED', status: 401 },
) {}

/** The password is correct, but the account has a second factor, which programs with a password cannot provide. */
export class KeyNeedsSecondFactor extends refusal(
  'This account has a second factor. Sign in with the browser, or use an API key from your settings.',
  { code: 'SECOND_FACTOR_REQUIRED', status: 401 },
) {}
