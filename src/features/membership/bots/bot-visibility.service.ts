import { Injectable } from '@nestjs/common';
import { isAdministrator } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { Audience } from '../../../platform/events/audience';
import { channelChanged, type ChannelChanged } from '../../channels/channels.module';
import { AccountDirectory, type AccountRecord, type Viewer } from '../../users/users.module';
import { botAdded, botRemoved, botUpdated, renamedPlaces } from './bot-records.api';
import { BotRecords } from './bot-records.service';

/** Tells the people who administer bots what changes about these for other reasons. */
@Injectable()
export class BotVisibilityService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly records: BotRecords,
    hooks: Hooks,
  ) {
    hooks.on(channelChanged, (tx, change) => this.channelChanged(tx, change));
  }

  /** Call this when a person becomes an administrator, or ceases to be one: administrators see the bots of others. */
  async roleChanged(tx: Transaction, after: Viewer): Promise<void> {
    const audience = Audience.of([after.userId]);
    for (const bot of this.bots().filter(({ botOwnerId }) => botOwnerId !== after.userId)) {
      const event = isAdministrator(after)
        ? botAdded({ bot: await this.records.record(tx, bot) })
        : botRemoved({ bot: { user_id: bot.id } });
      tx.emit(event, audience);
    }
  }

  /** Where a bot posts and listens is sent as the names of channels. */
  private channelChanged(tx: Transaction, { before, after }: ChannelChanged): void {
    if (before.channel.name === after.channel.name) return;
    for (const bot of this.bots()) {
      const changed = renamedPlaces(bot, after.channel);
      if (Object.keys(changed).length === 0) continue;
      tx.emit(botUpdated({ bot: { user_id: bot.id, ...changed } }), this.records.audienceOf(bot));
    }
  }

  private bots(): AccountRecord[] {
    return this.accounts.all().filter(({ isBot }) => isBot);
  }
}
