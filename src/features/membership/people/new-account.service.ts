import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { AddSubscribersService, ChannelDirectory } from '../../channels';
import { OrganizationDirectory } from '../../organization-settings';
import { SystemGroupService } from '../../user-groups';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  CreateAccountService,
  type NewAccount,
} from '../../users';

/** Makes an account a member of the organization, with all that follows from it. */
@Injectable()
export class NewAccountService {
  constructor(
    private readonly createAccount: CreateAccountService,
    private readonly changes: AccountChanges,
    private readonly accounts: AccountDirectory,
    private readonly systemGroups: SystemGroupService,
    private readonly organization: OrganizationDirectory,
    private readonly channels: ChannelDirectory,
    private readonly subscribers: AddSubscribersService,
  ) {}

  /** Within the caller's exclusive transaction. @returns the row as stored */
  async add(tx: Transaction, account: NewAccount): Promise<Account> {
    const row = await this.createAccount.insert(tx, { settings: this.initialSettings(), ...account });
    const told = await this.changes.announceNew(tx, row);
    const placement = { userId: row.id, role: row.role, dateJoined: row.dateJoined };
    await this.systemGroups.place(tx, placement, this.accounts.active);
    if (!row.isBot) await this.subscribeToDefaults(tx, row.id);
    await this.changes.introduceToNeighbours(tx, row, told);
    return row;
  }

  /** The settings that the organization gives new accounts, where they differ from the initial values. */
  private initialSettings(): Record<string, unknown> {
    const { default_language: language } = this.organization.settings;
    return language === 'en' ? {} : { default_language: language };
  }

  private async subscribeToDefaults(tx: Transaction, userId: number): Promise<void> {
    const additions = this.channels
      .all()
      .filter((channel) => channel.isDefault && !channel.isArchived)
      .map((channel) => ({ channel, userIds: [userId] }));
    await this.subscribers.add(tx, additions);
  }
}
