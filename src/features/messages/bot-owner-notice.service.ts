import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Clock } from '../../platform/clock';
import { TransactionService } from '../../platform/database/transaction.service';
import type { ChannelRecord } from '../channels/channel.directory';
import { SubscriptionDirectory } from '../channels/subscription.directory';
import { AccountDirectory } from '../users/account.directory';
import { SystemMessageService } from './system-message.service';

/** An owner hears of one bot at most once in this time. */
const PAUSE_MS = 5 * 60_000;

/** Tells owners whose bots talk to channels that are not there, or that nobody reads (messages reference 2.3). */
@Injectable()
export class BotOwnerNoticeService {
  private readonly toldAt = new Map<number, number>();

  constructor(
    private readonly accounts: AccountDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly transactions: TransactionService,
    private readonly messages: SystemMessageService,
    private readonly clock: Clock,
  ) {}

  /**
   * @param address name or ID by which the bot named the channel
   * @param channel what was found under it
   */
  async tellAboutChannel(
    bot: Actor,
    address: string | number,
    channel: ChannelRecord | undefined,
  ): Promise<void> {
    if (channel && this.subscriptions.subscriberCount(channel.id) > 0) return;
    const owner = bot.ownerId === null ? undefined : this.accounts.byId(bot.ownerId);
    if (!owner?.isActive || this.wasToldRecently(bot.userId)) return;

    const { fullName = '' } = this.accounts.byId(bot.userId) ?? {};
    const content = channel
      ? `Your bot **${fullName}** tried to send a message to #**${channel.name}**, which has no subscribers.`
      : `Your bot **${fullName}** tried to send a message to a channel that does not exist: ${describe(address)}.`;
    await this.transactions.run((tx) =>
      this.messages.sendToPerson(tx, 'notification-bot', owner.id, { content }),
    );
  }

  private wasToldRecently(botId: number): boolean {
    const now = this.clock.nowMs();
    const last = this.toldAt.get(botId);
    if (last !== undefined && now - last < PAUSE_MS) return true;
    this.toldAt.set(botId, now);
    return false;
  }
}

function describe(address: string | number): string {
  return typeof address === 'number' ? `ID ${address}` : `\`${address.replaceAll('`', '')}\``;
}
