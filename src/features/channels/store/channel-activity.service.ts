import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import { channelActivityChanged } from './channel-records.api';
import { isRecentlyActive } from './activity';
import { ChannelAudienceService } from './channel-audience.service';
import { lockChannels } from './channel-locks';
import type { ChannelRecord } from './channel.directory';
import { Channel } from './channel.entity';

/** How exactly the time of a channel's last message is kept. */
const SECONDS_A_DAY = 86_400;

/** Locks channels to which messages go, and writes what their rows say of their messages. */
@Injectable()
export class ChannelActivityService {
  constructor(
    private readonly audiences: ChannelAudienceService,
    private readonly directories: Directories,
    private readonly clock: Clock,
  ) {}

  /**
   * Prevents subscribing, leaving and channel changes until the transaction ends, so that the subscribers in memory are
   * the recipients of what is sent. SQLite writes one transaction at a time anyway.
   * @param options `forUpdate` where {@link noteMessage} or another change of their rows will follow, which keeps out
   *   other messages as well
   */
  async lock(
    tx: Transaction,
    channelIds: readonly number[],
    { forUpdate }: { readonly forUpdate: boolean },
  ): Promise<void> {
    if (tx.engine === 'sqlite') return;
    const locked = lockChannels(tx, channelIds, forUpdate ? 'alone' : 'shared');
    await Promise.all([locked, this.directories.catchUpIn(tx)]);
  }

  /** Whether a message has to be noted in the channel's own row, which takes an exclusive transaction. */
  isDue(channel: ChannelRecord): boolean {
    const { firstMessageId, lastMessageAt } = channel;
    if (firstMessageId === null || lastMessageAt === null) return true;
    return this.clock.nowSeconds() - lastMessageAt >= SECONDS_A_DAY;
  }

  /**
   * Notes a message, and tells everybody who sees the channel where it was silent for long. Needs an exclusive
   * transaction.
   */
  async noteMessage(
    tx: Transaction,
    channel: ChannelRecord,
    messageId: number,
    sentAt: number,
  ): Promise<void> {
    await tx.query(
      'UPDATE channel SET first_message_id = COALESCE(first_message_id, ?), last_message_at = ? WHERE id = ?',
      [messageId, sentAt, channel.id],
    );
    tx.touch('channels', [channel.id]);
    if (isRecentlyActive(channel, this.clock.nowSeconds())) return;
    tx.emit(channelActivityChanged(channel, true), this.audiences.viewersOf(channel));
  }

  /** Names the oldest message of a channel, or none. Needs an exclusive transaction. */
  async noteFirst(tx: Transaction, channelId: number, firstMessageId: number | null): Promise<void> {
    await tx.repository(Channel).update({ id: channelId }, { firstMessageId });
    tx.touch('channels', [channelId]);
  }
}
