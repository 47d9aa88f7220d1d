import { Injectable } from '@nestjs/common';
import { type Actor, type Caller, isAdministrator, Role } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import type { IdentityProvider } from '../../platform/config/identity-providers';
import type { Transaction } from '../../platform/database/transaction.service';
import { ApiError } from '../../platform/errors/api-error';
import { Hooks } from '../../platform/hooks/hooks';
import { AuditLog } from '../audit/audit.module';
import { NewAccountService } from '../membership/membership.module';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  AccountRules,
  actorOf,
  credentialsChanged,
  personalDataRemoved,
} from '../users/users.module';
import { AccountIdentity } from './account-identity.entity';
import {
  AccountDeactivated,
  AccountNotFound,
  AccountNotLinked,
  AccountNotMade,
  EmailNotVerified,
  ProviderFailed,
} from './identity-providers.api';
import { emailOf, isVerifiedByProvider, nameOf, type PersonClaims, roleOf } from './claims';

/** Longest subject (OpenID Connect Core, 2). */
export const MAX_SUB = 255;

/** An identity provider or LDAP directory that vouches for people. */
export type AccountSource = Pick<
  IdentityProvider,
  | 'name'
  | 'issuer'
  | 'label'
  | 'creates_accounts'
  | 'links_by_email'
  | 'domains'
  | 'trusts_email'
  | 'role_claim'
  | 'roles'
>;

type Linking = Pick<AccountSource, 'issuer' | 'name' | 'label'>;

/** An account, and whether it was just created. */
export interface FoundAccount {
  readonly row: Account;
  readonly isNew: boolean;
}

/** Finds the account of a person whom a provider vouches for by subject or email address, or else creates one. */
@Injectable()
export class ProviderAccounts {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly rules: AccountRules,
    private readonly newAccounts: NewAccountService,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(AccountIdentity).delete({ userId });
    });
  }

  /**
   * Finds or creates the account. Needs an exclusive transaction, so that concurrent first sign-ins create only one.
   * @throws EmailNotVerified, AccountNotFound, AccountNotLinked, AccountDeactivated, AccountNotMade, ProviderFailed
   */
  async find(
    tx: Transaction,
    provider: AccountSource,
    claims: PersonClaims,
    caller: Caller,
  ): Promise<FoundAccount> {
    const { issuer, label } = provider;
    if (claims.sub === '' || claims.sub.length > MAX_SUB) throw new ProviderFailed(label);
    const known = await tx.repository(AccountIdentity).findOneBy({ issuer, sub: claims.sub });
    // Ignores the email address: addresses are reassigned to other people, subjects are not.
    if (known) return { row: await this.active(tx, known.userId), isNew: false };
    const email = emailOf(claims);
    // Letters outside ASCII can turn into others: in lower case, the Kelvin sign becomes a `k`.
    const isUsable = email !== null && this.rules.isUsableEmail(email);
    if (!isUsable || !isVerifiedByProvider(provider, claims, email)) throw new EmailNotVerified(label);
    const account = this.accounts.byDeliveryEmail(email);
    return account
      ? { row: await this.linked(tx, provider, claims, account, caller), isNew: false }
      : { row: await this.added(tx, provider, claims, email, caller), isNew: true };
  }

  private async linked(
    tx: Transaction,
    provider: AccountSource,
    claims: PersonClaims,
    account: AccountRecord,
    caller: Caller,
  ): Promise<Account> {
    if (account.isBot || account.isSystemBot) throw new AccountNotFound(account.deliveryEmail);
    const row = await this.active(tx, account.id);
    const { issuer } = provider;
    const isLinked = await tx.repository(AccountIdentity).existsBy({ userId: row.id, issuer });
    // The provider must not take over administrators, and the address may have been reassigned.
    if (!provider.links_by_email || isAdministrator(account) || isLinked) {
      throw new AccountNotLinked(account.deliveryEmail);
    }
    await this.link(tx, provider, claims, row.id, actorOf(account, caller));
    return row;
  }

  private async added(
    tx: Transaction,
    provider: AccountSource,
    claims: PersonClaims,
    email: string,
    caller: Caller,
  ): Promise<Account> {
    if (!provider.creates_accounts) throw new AccountNotFound(email);
    const fullName = this.checkedName(email, nameOf(claims, email));
    const role = Role[roleOf(provider, claims)];
    const row = await this.newAccounts.add(tx, { deliveryEmail: email, fullName, role });
    this.audit.record(tx, caller, 'user.created', { userId: row.id }, { role, provider: provider.name });
    await this.insertLink(tx, provider, claims, row.id, caller);
    return row;
  }

  /** Links an existing account, so that the provider can sign it in. */
  async link(
    tx: Transaction,
    source: Linking,
    person: Pick<PersonClaims, 'sub'>,
    userId: number,
    by: Caller | Actor,
  ): Promise<void> {
    await this.insertLink(tx, source, person, userId, by);
    await this.hooks.run(credentialsChanged, tx, userId, 'identity_linked', source.label);
  }

  private async insertLink(
    tx: Transaction,
    { issuer, name }: Linking,
    { sub }: Pick<PersonClaims, 'sub'>,
    userId: number,
    by: Caller | Actor,
  ): Promise<void> {
    const createdAt = this.clock.nowSeconds();
    await tx.repository(AccountIdentity).insert({ userId, issuer, sub, createdAt });
    this.audit.record(tx, by, 'user.identity_linked', { userId }, { provider: name });
  }

  /** @throws AccountNotMade with the message of the violated rule */
  private checkedName(email: string, given: string): string {
    try {
      this.rules.requireUsableEmail(email);
      this.rules.requireAllowedDomain(email);
      const fullName = this.rules.checkedFullName(given);
      this.rules.requireUniqueName(fullName);
      return fullName;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) throw new AccountNotMade(error);
      throw error;
    }
  }

  private async active(tx: Transaction, userId: number): Promise<Account> {
    const row = await this.changes.load(tx, userId);
    if (!row.isActive) throw new AccountDeactivated(row.deliveryEmail);
    return row;
  }
}
