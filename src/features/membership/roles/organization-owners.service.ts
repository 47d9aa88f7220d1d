import { Injectable } from '@nestjs/common';
import { isOwner } from '../../../platform/actor';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';

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
}

function isActiveOwner(account: Pick<AccountRecord, 'role' | 'isBot' | 'isActive'>): boolean {
  return isOwner(account) && !account.isBot && account.isActive;
}
