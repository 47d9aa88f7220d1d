import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ApplyChannelChangeService } from './apply-channel-change.service';
import { ChannelAccess } from '../access/channel.access';
import type { ChannelRecord } from '../store/channel.directory';
import { PrivateChannelCannotBeDefault } from './channel-changes.errors';
import { ChannelSettingsService } from '../store/channel-settings.service';
import { ActorTransactions } from '../../users';

/** Says which channels newcomers are subscribed to. For administrators; repeating is no error. */
@Injectable()
export class DefaultChannelsService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly access: ChannelAccess,
    private readonly settings: ChannelSettingsService,
    private readonly changes: ApplyChannelChangeService,
  ) {}

  /** @throws InvalidChannelId, PrivateChannelCannotBeDefault */
  async add(caller: Actor, channelId: number): Promise<void> {
    await this.transactions.runForAdministrator(caller, async (tx, actor) => {
      const channel = this.access.forContent(actor, channelId);
      if (channel.isPrivate) throw new PrivateChannelCannotBeDefault();
      await this.mark(tx, actor, channel, true);
    });
  }

  /** @throws InvalidChannelId */
  async remove(caller: Actor, channelId: number): Promise<void> {
    await this.transactions.runForAdministrator(caller, async (tx, actor) =>
      this.mark(tx, actor, this.access.forMetadata(actor, channelId), false),
    );
  }

  private async mark(
    tx: Transaction,
    actor: Actor,
    channel: ChannelRecord,
    isDefault: boolean,
  ): Promise<void> {
    const settings = this.settings.valuesOf(channel);
    const after = { channel: { ...channel, isDefault }, settings };
    await this.changes.apply(tx, actor, { channel, settings }, after);
  }
}
