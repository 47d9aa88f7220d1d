import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { isDisposableEmailDomain } from 'disposable-email-domains-js';
import {
  type AllowedDomain,
  OrganizationDirectory,
} from '../../organization-settings/organization-settings.module';
import { AccountDirectory } from './account.directory';
import { checkedFullName, fullNameKey } from './full-name';
import {
  DisposableEmailRefused,
  EmailDomainNotAllowed,
  EmailInUse,
  EmailWithPlus,
  InvalidEmail,
  NameNotUnique,
} from './accounts.api';

/**
 * Rules for names and addresses of accounts. Reads memory only: what must still be true when it is written is checked
 * inside an exclusive transaction, where memory equals the database.
 */
@Injectable()
export class AccountRules {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** The name trimmed. @throws InvalidFullName */
  checkedFullName(given: string): string {
    return checkedFullName(given);
  }

  /**
   * Refuses the name of another active person if the organization wants unique names.
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

  /** Whether the text is an address that a person could have; placeholders belong to the server. */
  isUsableEmail(email: string): boolean {
    return isEmailAddress(email) && !this.accounts.isPlaceholder(email);
  }

  /** @throws InvalidEmail */
  requireUsableEmail(email: string): void {
    if (!this.isUsableEmail(email)) throw new InvalidEmail();
  }

  /**
   * Checks a new address against the domains that the organization allows or, where it allows any, against those of
   * throw-away addresses.
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
 * Whether a text is an ordinary e-mail address. Network addresses are not accepted, nor quoted names, which can pass for
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
