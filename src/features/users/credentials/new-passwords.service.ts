import { Injectable } from '@nestjs/common';
import { Passwords } from '../../../platform/secrets/passwords';
import { WeakPassword } from '../../../platform/secrets/secrets.errors';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';

/** The properties of a password's owner that make passwords guessable. */
interface PasswordOwner {
  readonly fullName: string;
  readonly deliveryEmail: string;
}

/** Validates and hashes passwords that people choose. */
@Injectable()
export class NewPasswords {
  constructor(
    private readonly passwords: Passwords,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** Whether a password is acceptable for this account. */
  accepts(password: string, { fullName, deliveryEmail }: PasswordOwner): boolean {
    const local = deliveryEmail.slice(0, deliveryEmail.lastIndexOf('@'));
    return this.passwords.accepts(password, [this.organization.settings.name, fullName, local]);
  }

  /** Hashes a password. Slow on purpose: call it before a transaction. @throws WeakPassword, TooManyPasswordChecks */
  async hash(password: string, owner: PasswordOwner): Promise<string> {
    if (!this.accepts(password, owner)) throw new WeakPassword();
    return this.passwords.hash(password);
  }
}
