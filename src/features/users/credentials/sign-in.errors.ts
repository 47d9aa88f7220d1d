import { Forbidden, NotAuthenticated } from '../../../platform/errors/companion.errors';

/** Address and password do not match, or no account has the address. */
export class LoginFailed extends NotAuthenticated {
  constructor() {
    super('Incorrect email or password');
  }
}

/** The password is right, but the account is deactivated. */
export class MayNotSignIn extends Forbidden {
  constructor() {
    super('Account is deactivated');
  }
}

/** The password is right, but the account has a role that this server does not know. */
export class UnknownRole extends Forbidden {
  constructor() {
    super('The role of this account is unknown');
  }
}

/** The password is right, but the organization has switched signing in by it off. */
export class PasswordLoginOff extends Forbidden {
  constructor() {
    super('Password authentication is disabled in this organization');
  }
}
