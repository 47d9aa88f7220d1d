import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { type Actor, type Caller, isAdministrator } from '../../platform/actor';
import { Config } from '../../platform/config/config';
import { TransactionService } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import type { RequestOrigin } from '../../platform/http/decorators';
import { ApiKeys } from '../../platform/secrets/api-keys';
import { AuditLog } from '../audit/audit.module';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import {
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  actorOf,
  FactorPolicy,
  FirstLoginService,
  type PasswordLogin,
  PasswordService,
  SecondFactors,
  SessionStart,
  signedIn,
  SignInFailures,
  type StartedSession,
} from '../users/users.module';
import {
  AuthenticationFailed,
  developmentPeople,
  type DevelopmentPeopleWire,
  DevelopmentSignInOff,
  KeyNeedsNewFactor,
  KeyNeedsSecondFactor,
  NoEmailAddress,
  NotInProduction,
  PasswordIncorrect,
  PasswordSignInOff,
  SignInRefused,
} from './auth.api';

/** The response to signing in. */
export interface SignedIn {
  readonly apiKey: string;
  /** The real address. */
  readonly email: string;
  readonly userId: number;
}

/** The response on a development server, where a browser session starts as well. */
export interface DevelopmentSignIn extends SignedIn {
  /** Null if none was requested, for bots, and for people with a second factor, which is not verified here. */
  readonly session: StartedSession | null;
}

/** Returns API keys: in exchange for a password, and on development servers without one. */
@Injectable()
export class SignInService {
  constructor(
    private readonly config: Config,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly logins: PasswordService,
    private readonly apiKeys: ApiKeys,
    private readonly firstLogin: FirstLoginService,
    private readonly transactions: TransactionService,
    private readonly audit: AuditLog,
    private readonly failures: SignInFailures,
    private readonly factors: SecondFactors,
    private readonly policy: FactorPolicy,
    private readonly changes: AccountChanges,
    private readonly starts: SessionStart,
    private readonly hooks: Hooks,
  ) {}

  /** @throws AuthenticationFailed, DirectoryUnreachable, PasswordSignInOff, SignInRefused, KeyNeedsSecondFactor, KeyNeedsNewFactor, LoginThrottled */
  async byPassword(login: PasswordLogin): Promise<SignedIn> {
    const recognized = await this.logins.recognize(login);
    if (!recognized) throw new AuthenticationFailed();
    const { account, method } = recognized;
    if (!this.organization.signInMethods[method]) {
      this.failures.record(login.caller, 'password_sign_in_off', account.id);
      throw new PasswordSignInOff();
    }
    if (account.isActive && (await this.factors.of(account.id)).isOn) {
      this.failures.record(login.caller, 'second_factor_required', account.id);
      throw new KeyNeedsSecondFactor();
    }
    if (account.isActive && this.policy.requires(account)) {
      this.failures.record(login.caller, 'second_factor_required', account.id);
      throw new KeyNeedsNewFactor();
    }
    return this.signIn(account, login.caller);
  }

  /** Returns the signed-in caller's key after a password check. @throws PasswordIncorrect, LoginThrottled */
  async ownKey(actor: Actor, password: string): Promise<SignedIn> {
    if (!(await this.logins.confirm(actor, password))) throw new PasswordIncorrect();
    const { userId } = actor;
    await this.transactions.run(async (tx) => this.audit.record(tx, actor, 'user.key_read', { userId }));
    return this.signedIn(this.accounts.existing(userId));
  }

  /**
   * @param origin of the session to start; null for none
   * @throws NotInProduction, DevelopmentSignInOff, NoEmailAddress, AuthenticationFailed, SignInRefused
   */
  async inDevelopment(
    userName: string,
    caller: Caller,
    origin: RequestOrigin | null,
  ): Promise<DevelopmentSignIn> {
    this.requireDevelopment();
    if (!isEmail(userName, { require_tld: false })) throw new NoEmailAddress();
    const account = this.accounts.byDeliveryEmail(userName);
    if (!account || account.isSystemBot) {
      this.failures.record(caller, 'unknown_account');
      throw new AuthenticationFailed();
    }
    const signedIn = await this.signIn(account, caller);
    return { ...signedIn, session: origin && (await this.sessionOf(account, origin)) };
  }

  private async sessionOf(
    { id, isBot }: AccountRecord,
    origin: RequestOrigin,
  ): Promise<StartedSession | null> {
    if (isBot) return null;
    return this.transactions.runExclusive(async (tx) => {
      if (await this.factors.isOnIn(tx, id)) return null;
      return this.starts.begin(tx, await this.changes.load(tx, id), 'browser', origin);
    });
  }

  /** Active people who can sign in without a password. @throws NotInProduction, DevelopmentSignInOff */
  developmentPeople(): DevelopmentPeopleWire {
    this.requireDevelopment();
    const people = this.accounts.all().filter(({ isActive, isBot }) => isActive && !isBot);
    const emails = (found: AccountRecord[]) => found.map(({ deliveryEmail }) => deliveryEmail);
    const administrators = emails(people.filter((person) => isAdministrator(person)));
    const others = emails(people.filter((person) => !isAdministrator(person)));
    return developmentPeople({ administrators, others }, this.config.externalUrl);
  }

  private async signIn(account: AccountRecord, caller: Caller): Promise<SignedIn> {
    if (!account.isActive) {
      this.failures.record(caller, 'deactivated', account.id);
      throw new SignInRefused();
    }
    const actor = actorOf(account, caller);
    await this.transactions.run(async (tx) => {
      this.audit.record(tx, actor, 'user.signed_in', { userId: account.id }, { gave_key: true });
      const { address, clientName: userAgent } = caller;
      await this.hooks.run(signedIn, tx, account.id, { address, userAgent });
    });
    await this.firstLogin.recordIfFirst(account.id);
    return this.signedIn(account);
  }

  private signedIn({ id, deliveryEmail, keyNonce }: AccountRecord): SignedIn {
    return { apiKey: this.apiKeys.apiKeyFor(keyNonce), email: deliveryEmail, userId: id };
  }

  private requireDevelopment(): void {
    if (!this.config.isDevelopment) throw new NotInProduction();
    if (!this.organization.signInMethods.Dev) throw new DevelopmentSignInOff();
  }
}
