import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { rowsPutBack } from '../../../platform/database/database.hooks';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { type ChannelRecord, SubscriptionDirectory } from '../../channels/channels.module';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';
import { SystemMessageService } from './system-message.service';

/** An owner hears of the same trouble with one bot at most once in this time. */
const PAUSE_MS = 5 * 60_000;

/** Tells owners of trouble with their bots. */
@Injectable()
export class BotOwnerNoticeService {
  /** By trouble and bot. */
  private readonly toldAt = new Map<string, number>();

  constructor(
    private readonly accounts: AccountDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly transactions: TransactionService,
    private readonly messages: SystemMessageService,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(rowsPutBack, (tx) => tx.afterCommit(() => this.toldAt.clear()));
  }

  /**
   * Notifies the owner that a bot wrote to a channel that does not exist or has no subscribers.
   * @param address name or ID by which the bot named the channel
   * @param channel what was found under it
   */
  async tellAboutChannel(
    bot: Actor,
    address: string | number,
    channel: ChannelRecord | undefined,
  ): Promise<void> {
    if (channel && this.subscriptions.subscriberCount(channel.id) > 0) return;
    await this.tell(bot.userId, 'channel', ({ fullName }) =>
      channel
        ? `Your bot **${fullName}** tried to send a message to #**${channel.name}**, which has no subscribers.`
        : `Your bot **${fullName}** tried to send a message to a channel that does not exist: ${describe(address)}.`,
    );
  }

  /**
   * Sends the owner of a bot a direct message, unless they were told of the same problem a moment ago.
   * @param trouble kind of problem
   * @param contentFor Markdown
   */
  async tell(botId: number, trouble: string, contentFor: (bot: AccountRecord) => string): Promise<void> {
    const bot = this.accounts.byId(botId);
    const owner = bot?.botOwnerId == null ? undefined : this.accounts.byId(bot.botOwnerId);
    if (!bot || !owner?.isActive || this.wasToldRecently(`${trouble} ${botId}`)) return;
    const content = contentFor(bot);
    await this.transactions.run((tx) =>
      this.messages.sendToPerson(tx, 'notification-bot', owner.id, { content }),
    );
  }

  private wasToldRecently(matter: string): boolean {
    const now = this.clock.nowMs();
    const last = this.toldAt.get(matter);
    if (last !== undefined && now - last < PAUSE_MS) return true;
    this.toldAt.set(matter, now);
    return false;
  }
}

function describe(address: string | number): string {
  return typeof address === 'number' ? `ID ${address}` : `\`${address.replaceAll('`', '')}\``;
}
