import { refusal } from '../../../platform/errors/api-error';
import { STRONGER_PASSWORD } from '../../../platform/secrets/secrets.errors';
import { Forbidden, NotAuthenticated } from '../../../platform/errors/companion.errors';

/** The current password, sent with a new one, is wrong. */
export class WrongPassword extends refusal('Wrong password!') {}

/** Changing one's own email address requires more than an API key or an open session. */
export class AddressNeedsProof extends refusal(
  'To change your email address, send your password as old_password, or use a browser.',
  {
    code: 'REAUTHENTICATION_REQUIRED',
    status: 403,
    companion: { data: { code: 'REAUTHENTICATION_REQUIRED' } },
  },
) {}

/** The LDAP directory is unavailable, so the password cannot be checked. */
export class DirectoryUnreachable extends refusal(
  'Your organization’s directory can’t be reached at the moment. Please try again later.',
  { code: 'DIRECTORY_AWAY', status: 503, companion: { status: 503 } },
) {}

/** The password belongs to an LDAP directory, which is where it has to be changed. */
export class PasswordInDirectory extends refusal(
  'Your password is managed in your organization’s directory.',
) {}

/** The new password is too short or too easy to guess. */
export class NewPasswordTooWeak extends refusal('New password is too weak!', { advice: STRONGER_PASSWORD }) {}

/** Address and password do not match, or no account has the address. */
export class LoginFailed extends NotAuthenticated {
  constructor() {
    super('Incorrect email or password');
  }
}

/** The password is correct, but the account is deactivated. */
export class MayNotSignIn extends Forbidden {
  constructor() {
    super('Account is deactivated');
  }
}

/** The password is correct, but the account has a role that this server does not know. */
export class UnknownRole extends Forbidden {
  constructor() {
    super('The role of this account is unknown');
  }
}

/** The password is correct, but the organization has disabled sign-in by password. */
export class PasswordLoginOff extends Forbidden {
  constructor() {
    super('Password authentication is disabled in this organization');
  }
}
