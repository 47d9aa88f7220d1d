import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { Audience } from '../../../platform/events/audience';
import {
  ChannelAccess,
  channelChanged,
  type ChannelChanged,
  type ChannelRecord,
} from '../../channels/channels.module';
import { HistoricalMessageService } from '../../messages/messages.module';
import { AccountDirectory } from '../../users/users.module';

const MESSAGES_PER_STATEMENT = 500;

/**
 * When a channel's history becomes protected, messages moved into it earlier stay with recipients who can see them now.
 * Former recipients who join the channel later must not see them, with all later edits.
 */
@Injectable()
export class ProtectedHistoryService implements OnModuleInit {
  constructor(
    private readonly hooks: Hooks,
    private readonly accounts: AccountDirectory,
    private readonly access: ChannelAccess,
    private readonly history: HistoricalMessageService,
  ) {}

  onModuleInit(): void {
    this.hooks.on(channelChanged, (tx, change) => this.channelChanged(tx, change));
  }

  private async channelChanged(tx: Transaction, { before, after }: ChannelChanged): Promise<void> {
    const { channel } = after;
    if (channel.isHistoryPublicToSubscribers || !before.channel.isHistoryPublicToSubscribers) return;
    const people = { entering: Audience.none, keeping: this.readersOf(channel) };
    for (;;) {
      const moved = await tx.query<{ id: number }>(
        'SELECT id FROM message WHERE channel_id = ? AND sent_channel_id > 0 ORDER BY id LIMIT ?',
        [channel.id, MESSAGES_PER_STATEMENT],
      );
      if (moved.length === 0) return;
      await this.history.settle(
        tx,
        people,
        moved.map(({ id }) => id),
      );
    }
  }

  private readersOf(channel: ChannelRecord): Audience {
    const readers = this.accounts
      .all()
      .filter(
        ({ id, role, isActive }) => isActive && this.access.hasContentAccess({ userId: id, role }, channel),
      );
    return Audience.of(readers.map(({ id }) => id));
  }
}
