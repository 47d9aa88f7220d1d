import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { isAdministrator } from '../../platform/actor';
import { Config } from '../../platform/config/config';
import { AccountDirectory, type AccountRecord } from '../users';
import { AuthenticationFailed, NoEmailAddress, NotInProduction } from './auth.errors';
import { developmentPeople, type DevelopmentPeopleWire } from './development-people.wire';
import { SignInService, type SignedIn } from './sign-in.service';

/** Signing in without a password, on development servers only (endpoint 13). */
@Injectable()
export class DevelopmentSignInService {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountDirectory,
    private readonly signIns: SignInService,
  ) {}

  /** @throws NotInProduction, NoEmailAddress, AuthenticationFailed, SignInRefused */
  async fetch(userName: string): Promise<SignedIn> {
    this.requireDevelopment();
    if (!isEmail(userName, { require_tld: false })) throw new NoEmailAddress();
    const account = this.accounts.byDeliveryEmail(userName);
    if (!account || account.isSystemBot) throw new AuthenticationFailed();
    return this.signIns.signIn(account);
  }

  /** Active people one can sign in as. @throws NotInProduction */
  list(): DevelopmentPeopleWire {
    this.requireDevelopment();
    const people = this.accounts.all().filter(({ isActive, isBot }) => isActive && !isBot);
    const emails = (found: AccountRecord[]) => found.map(({ deliveryEmail }) => deliveryEmail);
    const administrators = emails(people.filter((person) => isAdministrator(person)));
    const others = emails(people.filter((person) => !isAdministrator(person)));
    return developmentPeople({ administrators, others }, this.config.externalUrl);
  }

  private requireDevelopment(): void {
    if (!this.config.isDevelopment) throw new NotInProduction();
  }
}
