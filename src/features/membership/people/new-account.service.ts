import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { AddSubscribersService, ChannelDirectory } from '../../channels';
import { SystemGroupService } from '../../user-groups';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  CreateAccountService,
  InitialSettingsService,
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
    private readonly settings: InitialSettingsService,
    private readonly channels: ChannelDirectory,
    private readonly subscribers: AddSubscribersService,
  ) {}

  /** Within the caller's exclusive transaction. @returns the row as stored */
  async add(tx: Transaction, account: NewAccount): Promise<Account> {
    const row = await this.createAccount.insert(tx, { ...this.initialSettings(account), ...account });
    const told = await this.changes.announceNew(tx, row);
    const placement = { userId: row.id, role: row.role, dateJoined: row.dateJoined };
    await this.systemGroups.place(tx, placement, this.accounts.active);
    if (!row.isBot) await this.subscribeToDefaults(tx, row.id);
    await this.changes.introduceToNeighbours(tx, row, told);
    return row;
  }

  private initialSettings({ isBot }: NewAccount): Partial<NewAccount> {
    return isBot ? { settings: this.settings.forBot() } : this.settings.forPerson();
  }

  private async subscribeToDefaults(tx: Transaction, userId: number): Promise<void> {
    const additions = this.channels
      .all()
      .filter((channel) => channel.isDefault && !channel.isArchived)
      .map((channel) => ({ channel, userIds: [userId] }));
    await this.subscribers.add(tx, additions);
  }
}
