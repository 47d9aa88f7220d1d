import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import {
  ORGANIZATION_CHANNEL_SETTINGS,
  OrganizationDirectory,
  organizationSettingsChanged,
  wireNameOf,
} from '../../organization-settings';
import { AccountDirectory, ActorTransactions } from '../../users';
import { ApplyChannelChangeService } from './apply-channel-change.service';
import { ChannelDirectory } from '../store/channel.directory';
import { ChannelAlreadyArchived } from './channel-changes.errors';
import { ChannelSettingsService } from '../store/channel-settings.service';
import { InvalidChannelId } from '../channels.errors';

/** Value of an organization setting that names no channel. */
const NO_CHANNEL = -1;

/**
 * Archives channels (spec, endpoint 6). Messages, subscriptions and the name stay; nothing can be sent,
 * by mail neither, until `UpdateChannelService` brings the channel back.
 */
@Injectable()
export class ArchiveChannelService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly channels: ChannelDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly settings: ChannelSettingsService,
    private readonly changes: ApplyChannelChangeService,
  ) {}

  /**
   * @param caller an administrator of the organization, who may archive every channel
   * @throws InvalidChannelId, ChannelAlreadyArchived
   */
  async archive(caller: Actor, channelId: number): Promise<void> {
    await this.transactions.runForAdministrator(caller, async (tx, actor) => {
      const channel = this.channels.byId(channelId);
      if (!channel) throw new InvalidChannelId();
      if (channel.isArchived) throw new ChannelAlreadyArchived();
      await this.forgetInOrganization(tx, channelId);
      const settings = this.settings.valuesOf(channel);
      const after = { ...channel, isArchived: true, isDefault: false };
      await this.changes.apply(tx, actor, { channel, settings }, { channel: after, settings });
    });
  }

  /** Settings of the organization that name the channel name none from now on. */
  private async forgetInOrganization(tx: Transaction, channelId: number): Promise<void> {
    const naming = ORGANIZATION_CHANNEL_SETTINGS.filter(
      (setting) => this.organization.settings[setting] === channelId,
    );
    if (naming.length === 0) return;
    for (const setting of naming) await this.organization.store(tx, setting, NO_CHANNEL);
    const data = Object.fromEntries(naming.map((setting) => [wireNameOf(setting), NO_CHANNEL]));
    tx.emit(organizationSettingsChanged({ property: 'default', data }), this.accounts.active);
  }
}
