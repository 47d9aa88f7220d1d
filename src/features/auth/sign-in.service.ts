import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { isAdministrator } from '../../platform/actor';
import { Config } from '../../platform/config/config';
import { ApiKeys } from '../../platform/secrets/api-keys';
import {
  AccountDirectory,
  type AccountRecord,
  FirstLoginService,
  type PasswordLogin,
  PasswordService,
} from '../users';
import { AuthenticationFailed, NoEmailAddress, NotInProduction, SignInRefused } from './auth.errors';
import { developmentPeople, type DevelopmentPeopleWire } from './development-people.wire';

/** What a person gets on signing in. */
export interface SignedIn {
  readonly apiKey: string;
  /** The real address. */
  readonly email: string;
  readonly userId: number;
}

/** Hands out API keys: for a password, and on development servers without one. */
@Injectable()
export class SignInService {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountDirectory,
    private readonly logins: PasswordService,
    private readonly apiKeys: ApiKeys,
    private readonly firstLogin: FirstLoginService,
  ) {}

  /** @throws AuthenticationFailed, SignInRefused, LoginThrottled */
  async byPassword(login: PasswordLogin): Promise<SignedIn> {
    const recognized = await this.logins.recognize(login);
    if (!recognized) throw new AuthenticationFailed();
    return this.signIn(recognized.account);
  }

  /** @throws NotInProduction, NoEmailAddress, AuthenticationFailed, SignInRefused */
  async inDevelopment(userName: string): Promise<SignedIn> {
    this.requireDevelopment();
    if (!isEmail(userName, { require_tld: false })) throw new NoEmailAddress();
    const account = this.accounts.byDeliveryEmail(userName);
    if (!account || account.isSystemBot) throw new AuthenticationFailed();
    return this.signIn(account);
  }

  /** Active people as whom anyone can sign in without a password. @throws NotInProduction */
  developmentPeople(): DevelopmentPeopleWire {
    this.requireDevelopment();
    const people = this.accounts.all().filter(({ isActive, isBot }) => isActive && !isBot);
    const emails = (found: AccountRecord[]) => found.map(({ deliveryEmail }) => deliveryEmail);
    const administrators = emails(people.filter((person) => isAdministrator(person)));
    const others = emails(people.filter((person) => !isAdministrator(person)));
    return developmentPeople({ administrators, others }, this.config.externalUrl);
  }

  private async signIn(account: AccountRecord): Promise<SignedIn> {
    if (!account.isActive) throw new SignInRefused();
    await this.firstLogin.recordIfFirst(account.id);
    return {
      apiKey: this.apiKeys.apiKeyFor(account.keyNonce),
      email: account.deliveryEmail,
      userId: account.id,
    };
  }

  private requireDevelopment(): void {
    if (!this.config.isDevelopment) throw new NotInProduction();
  }
}
