import { ApiError } from '../../platform/errors/api-error';

/** Address and password do not match, or no account has the address. */
export class AuthenticationFailed extends ApiError {
  constructor() {
    super('Your username or password is incorrect', { code: 'AUTHENTICATION_FAILED', status: 401 });
  }
}

/** The password is right, but the account is deactivated. */
export class SignInRefused extends ApiError {
  constructor() {
    super('Account is deactivated', { code: 'USER_DEACTIVATED', status: 401 });
  }
}

/** The key in the address is none, or belongs to no bot. */
export class InvalidApiKey extends ApiError {
  constructor(message = 'Invalid API key') {
    super(message, { code: 'INVALID_API_KEY', status: 401 });
  }
}

/** The endpoint hands out keys without asking for a password, which only development servers do. */
export class NotInProduction extends ApiError {
  constructor() {
    super('Endpoint not available in production.');
  }
}

/** What was given as an address is not one. */
export class NoEmailAddress extends ApiError {
  constructor() {
    super('Enter a valid email address.');
  }
}

/** The organization has switched signing in by password off. */
export class PasswordSignInOff extends ApiError {
  constructor() {
    super('Password authentication is disabled in this organization', {
      code: 'PASSWORD_AUTH_DISABLED',
      status: 401,
    });
  }
}

/** The organization has switched signing in without a password off. */
export class DevelopmentSignInOff extends ApiError {
  constructor() {
    super('DevAuthBackend not enabled.');
  }
}

/** Somebody who is signed in does not know the password. */
export class PasswordIncorrect extends ApiError {
  constructor() {
    super('Password is incorrect.');
  }
}
