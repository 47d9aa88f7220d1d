import { Injectable } from '@nestjs/common';
import {
  AccountDirectory,
  AccountRules,
  DisposableEmailRefused,
  EmailDomainNotAllowed,
  emailKey,
  EmailWithPlus,
} from '../../users/users.module';
import type { RefusedAddress } from '../invitations/invitation-records.api';

/** The addresses of a request, sorted by what can be done about them. */
export interface SortedAddresses {
  readonly invitable: readonly string[];
  /** Addresses that no account here may have. */
  readonly invalid: readonly RefusedAddress[];
  /** Addresses of current or former accounts, and of system bots. */
  readonly taken: readonly RefusedAddress[];
}

/** Finds out which addresses can be invited. */
@Injectable()
export class InvitedAddressesService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
  ) {}

  /** @param texts as {@link addressesIn} finds them */
  sort(texts: readonly string[]): SortedAddresses {
    const invitable: string[] = [];
    const invalid: RefusedAddress[] = [];
    const taken: RefusedAddress[] = [];
    for (const email of texts) {
      const problem = this.problemOf(email);
      const account = problem === null ? this.accounts.byDeliveryEmail(email) : undefined;
      if (problem !== null) invalid.push([email, problem, false]);
      else if (this.isOfSystemBot(email)) taken.push([email, 'Reserved for system bots.', false]);
      else if (!account) invitable.push(email);
      else if (account.isActive) taken.push([email, 'Already has an account.', false]);
      else taken.push([email, 'Account has been deactivated.', true]);
    }
    return { invitable, invalid, taken };
  }

  private problemOf(email: string): string | null {
    if (!this.rules.isUsableEmail(email)) return 'Invalid address.';
    try {
      this.rules.requireAllowedDomain(email);
      return null;
    } catch (error) {
      if (error instanceof EmailWithPlus) return 'Email addresses containing + are not allowed.';
      if (error instanceof EmailDomainNotAllowed) return 'Outside your domain.';
      if (error instanceof DisposableEmailRefused) return 'Please use your real email address.';
      throw error;
    }
  }

  private isOfSystemBot(email: string): boolean {
    return this.accounts.systemBots().some((bot) => bot.emailKey === emailKey(email));
  }
}

/** What stands between commas and line ends. */
const PIECE = /[^,\n]+/g;

/** The first addresses in a text, each once, in their order: separated by commas or line ends, with or without names. */
export function addressesIn(text: string, limit: number): string[] {
  const found = new Map<string, string>();
  for (const [piece] of text.matchAll(PIECE)) {
    if (found.size >= limit) break;
    const address = (/<([^<>]*)>/.exec(piece)?.[1] ?? piece).trim();
    if (address !== '' && !found.has(emailKey(address))) found.set(emailKey(address), address);
  }
  return [...found.values()];
}
