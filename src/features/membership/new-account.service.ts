import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { SystemGroupService } from '../user-groups';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  CreateAccountService,
  type NewAccount,
} from '../users';
import { NewcomerDefaults } from './newcomer-defaults.service';

/** Makes an account a member of the organization, with all that follows from it (reference E7). */
@Injectable()
export class NewAccountService {
  constructor(
    private readonly createAccount: CreateAccountService,
    private readonly changes: AccountChanges,
    private readonly accounts: AccountDirectory,
    private readonly systemGroups: SystemGroupService,
    private readonly defaults: NewcomerDefaults,
  ) {}

  /** Within the caller's exclusive transaction. @returns the row as stored */
  async add(tx: Transaction, account: NewAccount): Promise<Account> {
    const row = await this.createAccount.insert(tx, { settings: this.defaults.settings(), ...account });
    const told = await this.changes.announceNew(tx, row);
    const placement = { userId: row.id, role: row.role, dateJoined: row.dateJoined };
    await this.systemGroups.place(tx, placement, this.accounts.active);
    if (!row.isBot) await this.defaults.subscribe(tx, row.id);
    await this.changes.introduceToNeighbours(tx, row, told);
    return row;
  }
}
