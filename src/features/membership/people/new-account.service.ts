import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { AddSubscribersService, ChannelDirectory, type ChannelRecord } from '../../channels/channels.module';
import { SystemGroupService } from '../../user-groups/user-groups.module';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  CreateAccountService,
  InitialSettingsService,
  type NewAccount,
} from '../../users/users.module';

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

  /**
   * Within the caller's exclusive transaction.
   * @param channels that a person begins with; the default ones if omitted
   * @returns the row as stored
   */
  async add(
    tx: Transaction,
    account: NewAccount,
    channels: readonly ChannelRecord[] = this.defaultChannels(),
  ): Promise<Account> {
    const row = await this.createAccount.insert(tx, { ...this.initialSettings(account), ...account });
    const told = await this.changes.announceNew(tx, row);
    const placement = { userId: row.id, role: row.role, dateJoined: row.dateJoined };
    await this.systemGroups.place(tx, placement, this.accounts.active);
    if (!row.isBot) await this.subscribe(tx, row.id, channels);
    await this.changes.introduceToNeighbors(tx, row, told);
    return row;
  }

  private initialSettings({ isBot }: NewAccount): Partial<NewAccount> {
    return isBot ? { settings: this.settings.forBot() } : this.settings.forPerson();
  }

  /** Those in use that everybody begins with. */
  defaultChannels(): ChannelRecord[] {
    return this.channels.all().filter((channel) => channel.isDefault && !channel.isArchived);
  }

  private async subscribe(
    tx: Transaction,
    userId: number,
    channels: readonly ChannelRecord[],
  ): Promise<void> {
    const additions = channels.map((channel) => ({ channel, userIds: [userId] }));
    await this.subscribers.add(tx, additions);
  }
}
