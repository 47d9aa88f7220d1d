import { Injectable } from '@nestjs/common';
import { AccountDirectory, type AccountRecord } from '../../users';
import { NoSuchUser, UserDeactivated } from '../channels.errors';

/** People that a request is about, by IDs or by API addresses. Empty and absent both mean the caller. */
export type Principals = readonly number[] | readonly string[];

/** Finds the people that a request names. */
@Injectable()
export class PrincipalsService {
  constructor(private readonly accounts: AccountDirectory) {}

  /**
   * Whether a request is about anybody but the caller. The caller's own address counts as somebody else,
   * only the ID does not (reference 1.6).
   */
  namesOthers(principals: Principals, callerId: number): boolean {
    return principals.some((principal) => principal !== callerId);
  }

  /**
   * The accounts, each once; all have to be valid.
   * @throws NoSuchUser, UserDeactivated
   */
  resolve(principals: Principals, callerId: number): AccountRecord[] {
    const named = principals.length === 0 ? [callerId] : principals;
    const found = new Set<AccountRecord>();
    for (const principal of named) {
      const account =
        typeof principal === 'number' ? this.accounts.byId(principal) : this.accounts.byApiEmail(principal);
      if (!account || account.isSystemBot) throw new NoSuchUser();
      if (!account.isActive) throw new UserDeactivated();
      found.add(account);
    }
    return [...found];
  }
}
