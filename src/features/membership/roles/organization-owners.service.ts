import { Injectable } from '@nestjs/common';
import { type Actor, type Caller, isOwner } from '../../../platform/actor';
import { AccountDirectory, type AccountRecord, actorOf } from '../../users/users.module';

/**
 * Guards the accounts without whom the organization could not go on. Ask inside an exclusive transaction, where memory
 * equals the database: of two owners who leave at the same moment, the second is then refused.
 */
@Injectable()
export class OrganizationOwners {
  constructor(private readonly accounts: AccountDirectory) {}

  /** Whether the account is the only active one, counting bots. */
  isOnlyUser(account: AccountRecord): boolean {
    return this.accounts.active.size === 1 && account.isActive;
  }

  /** Whether the account is the only active person who is an owner. */
  isOnlyOwner(account: Pick<AccountRecord, 'id' | 'role' | 'isBot' | 'isActive'>): boolean {
    return isActiveOwner(account) && this.accounts.all().filter(isActiveOwner).length === 1;
  }

  /**
   * What comes from outside, such as a company's directory, acts with the rights of an owner; the audit log names where it
   * comes from.
   */
  actorFor(caller: Caller): Actor {
    const owner = this.accounts.all().find(isActiveOwner);
    if (!owner) throw new Error('The organization has no owner.');
    return actorOf(owner, caller);
  }
}

function isActiveOwner(account: Pick<AccountRecord, 'role' | 'isBot' | 'isActive'>): boolean {
  return isOwner(account) && !account.isBot && account.isActive;
}
