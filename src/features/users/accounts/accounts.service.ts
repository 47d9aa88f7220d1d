import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { isDisposableEmailDomain } from 'disposable-email-domains-js';
import { AccountDirectory, emailKey, initialAvatar } from './account.directory';
import { Account } from './account.entity';
import {
  checkedFullName,
  DisposableEmailRefused,
  EmailDomainNotAllowed,
  EmailInUse,
  EmailVisibility,
  EmailWithPlus,
  fullNameKey,
  InvalidEmail,
  NameNotUnique,
} from './accounts.api';
import type { Role } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ApiKeys } from '../../../platform/secrets/api-keys';
import {
  type AllowedDomain,
  OrganizationDirectory,
} from '../../organization-settings/organization-settings.module';

/** The details of a new account; all others start with their defaults. */
export interface NewAccount {
  readonly deliveryEmail: string;
  readonly fullName: string;
  readonly role: Role;
  readonly passwordHash?: string | null;
  readonly isBot?: boolean;
  readonly isSystemBot?: boolean;
  readonly botType?: number | null;
  readonly botOwnerId?: number | null;
  readonly canCreateUsers?: boolean;
  /** Whether another person created the account, so that the first sign-in sets `dateJoined`. */
  readonly awaitsFirstLogin?: boolean;
  readonly emailVisibility?: number;
  /** Personal settings that differ from their initial values. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Key of a stored avatar; by default, the account gets the organization's default avatar. */
  readonly avatarKey?: string | null;
  readonly defaultSendingChannelId?: number | null;
  readonly defaultEventsChannelId?: number | null;
  readonly defaultAllPublicChannels?: boolean;
}

/** Inserts the row of a new account. Callers handle groups, channels and events. */
@Injectable()
export class CreateAccountService {
  constructor(
    private readonly clock: Clock,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** @returns the stored row, including its ID */
  async insert(tx: Transaction, account: NewAccount): Promise<Account> {
    const row = tx.repository(Account).create({
      deliveryEmail: withLowerCaseDomain(account.deliveryEmail),
      emailKey: emailKey(account.deliveryEmail),
      fullName: account.fullName,
      role: account.role,
      isActive: true,
      isBot: account.isBot ?? false,
      isSystemBot: account.isSystemBot ?? false,
      botType: account.botType ?? null,
      botOwnerId: account.botOwnerId ?? null,
      passwordHash: account.passwordHash ?? null,
      keyNonce: ApiKeys.newNonce(),
      dateJoined: this.clock.nowSeconds(),
      awaitsFirstLogin: account.awaitsFirstLogin ?? false,
      timezone: '',
      ...this.avatarOf(account),
      avatarVersion: 1,
      emailVisibility: account.emailVisibility ?? EmailVisibility.everyone,
      isImportedStub: false,
      isDeleted: false,
      canCreateUsers: account.canCreateUsers ?? false,
      settings: JSON.stringify(account.settings ?? {}),
      editedSettings: '[]',
      defaultSendingChannelId: account.defaultSendingChannelId ?? null,
      defaultEventsChannelId: account.defaultEventsChannelId ?? null,
      defaultAllPublicChannels: account.defaultAllPublicChannels ?? false,
    });
    const stored = await tx.repository(Account).save(row);
    tx.touch('accounts', [stored.id]);
    return stored;
  }

  private avatarOf({ avatarKey, isSystemBot }: NewAccount): Pick<Account, 'avatarSource' | 'avatarKey'> {
    if (avatarKey) return { avatarSource: 'U', avatarKey };
    return initialAvatar(isSystemBot ? 'G' : this.organization.settings.default_avatar_source);
  }

  /** Changes the address and password of an account before any client has received it. */
  async renew(
    tx: Transaction,
    userId: number,
    { deliveryEmail, passwordHash }: Pick<Account, 'deliveryEmail' | 'passwordHash'>,
  ): Promise<void> {
    await tx.repository(Account).update(userId, {
      deliveryEmail: withLowerCaseDomain(deliveryEmail),
      emailKey: emailKey(deliveryEmail),
      passwordHash,
    });
    tx.touch('accounts', [userId]);
  }
}

/** Lower-cases the domain, which is case-insensitive; the part before the @ does not change. */
export function withLowerCaseDomain(email: string): string {
  const trimmed = email.trim();
  const at = trimmed.lastIndexOf('@');
  return trimmed.slice(0, at) + trimmed.slice(at).toLowerCase();
}

/**
 * Rules for names and addresses of accounts. Uses memory only: callers recheck inside an exclusive transaction, where
 * memory equals the database.
 */
@Injectable()
export class AccountRules {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** The trimmed name. @throws InvalidFullName */
  checkedFullName(given: string): string {
    return checkedFullName(given);
  }

  /**
   * Refuses the name of another active person if the organization requires unique names.
   * @throws NameNotUnique
   */
  requireUniqueName(fullName: string, exceptUserId?: number): void {
    if (!this.organization.settings.require_unique_names) return;
    const key = fullNameKey(fullName);
    const isTaken = this.accounts
      .all()
      .some(
        (other) => isActivePerson(other) && other.id !== exceptUserId && fullNameKey(other.fullName) === key,
      );
    if (isTaken) throw new NameNotUnique();
  }

  /** Whether an active account has exactly this name. */
  isNameInUse(fullName: string, exceptUserId?: number): boolean {
    return this.accounts
      .all()
      .some((other) => other.isActive && other.id !== exceptUserId && other.fullName === fullName);
  }

  /** Whether the text is a valid address for a person; placeholders are reserved for the server. */
  isUsableEmail(email: string): boolean {
    return isEmailAddress(email) && !this.accounts.isPlaceholder(email);
  }

  /** @throws InvalidEmail */
  requireUsableEmail(email: string): void {
    if (!this.isUsableEmail(email)) throw new InvalidEmail();
  }

  /**
   * Checks a new address against the domains that the organization allows or, if it allows any, against disposable
   * email services.
   * @throws EmailDomainNotAllowed, EmailWithPlus, DisposableEmailRefused
   */
  requireAllowedDomain(email: string): void {
    const domain = domainOf(email);
    const { settings } = this.organization;
    if (settings.emails_restricted_to_domains) {
      if (!settings.allowed_domains.some((allowed) => covers(allowed, domain))) {
        throw new EmailDomainNotAllowed(email);
      }
      if (email.slice(0, email.lastIndexOf('@')).includes('+')) throw new EmailWithPlus();
    } else if (settings.disallow_disposable_email_addresses && isDisposableEmailDomain(domain)) {
      throw new DisposableEmailRefused();
    }
  }

  /** @throws EmailInUse */
  requireFreeEmail(email: string, exceptUserId?: number): void {
    const owner = this.accounts.byDeliveryEmail(email);
    if (owner && owner.id !== exceptUserId) throw new EmailInUse();
  }
}

function isActivePerson(account: { isActive: boolean; isBot: boolean }): boolean {
  return account.isActive && !account.isBot;
}

/**
 * Whether a text is an ordinary email address. Refuses IP addresses, and quoted names, which can be mistaken for
 * another address: `"boss@corp.example"@example.com`.
 */
export function isEmailAddress(text: string): boolean {
  return !text.includes('"') && isEmail(text, { require_tld: false, allow_utf8_local_part: false });
}

function covers({ domain: allowed, withSubdomains }: AllowedDomain, domain: string): boolean {
  return domain === allowed || (withSubdomains && domain.endsWith(`.${allowed}`));
}

/** The domain of an address, in lower case. */
function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
