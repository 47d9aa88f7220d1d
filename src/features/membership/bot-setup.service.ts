import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { keysOf } from '../../platform/collections';
import type { Transaction } from '../../platform/database/transaction.service';
import type { Account } from '../users';
import { botUpdated } from './bot.events';
import type { BotDefaults, BotRecord } from './bot.wire';
import { BotRecords } from './bot-records.service';
import { BotRules } from './bot-rules.service';
import { BotServices, type ServiceUpdate } from './bot-services.service';

/** Where a bot posts, listens and is reached; what is left out stays. */
export interface BotSetup extends ServiceUpdate {
  /** Names of channels; empty for none. */
  readonly defaultSendingChannel?: string;
  readonly defaultEventsChannel?: string;
  readonly defaultAllPublicChannels?: boolean;
}

/** Changes how a bot is set up, on its row within the caller's transaction; those who administer it hear of it. */
@Injectable()
export class BotSetupService {
  constructor(
    private readonly rules: BotRules,
    private readonly services: BotServices,
    private readonly records: BotRecords,
  ) {}

  defaults(row: Account): BotDefaults {
    return this.records.defaults(row);
  }

  /** @throws InvalidChannelName, InvalidInterfaceType */
  async apply(tx: Transaction, actor: Actor, row: Account, setup: BotSetup): Promise<void> {
    const before = this.defaults(row);
    if (setup.defaultSendingChannel !== undefined) {
      row.defaultSendingChannelId = this.rules.channelId(actor, setup.defaultSendingChannel);
    }
    if (setup.defaultEventsChannel !== undefined) {
      row.defaultEventsChannelId = this.rules.channelId(actor, setup.defaultEventsChannel);
    }
    row.defaultAllPublicChannels = setup.defaultAllPublicChannels ?? row.defaultAllPublicChannels;
    const after = this.defaults(row);
    for (const key of keysOf(after)) {
      if (after[key] !== before[key]) this.announce(tx, row, { [key]: after[key] });
    }
    if (setup.payloadUrl !== undefined || setup.config) await this.updateService(tx, row, setup);
  }

  private async updateService(tx: Transaction, row: Account, setup: BotSetup): Promise<void> {
    if (!(await this.services.update(tx, row.id, setup))) return;
    const { services } = await this.records.record(tx, row);
    this.announce(tx, row, { services });
  }

  private announce(tx: Transaction, row: Account, changed: Partial<BotRecord>): void {
    tx.emit(botUpdated({ bot: { user_id: row.id, ...changed } }), this.records.audienceOf(row));
  }
}
