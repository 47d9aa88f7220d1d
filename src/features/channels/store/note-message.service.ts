import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { channelActivityChanged } from './channels.events';
import { isRecentlyActive } from './activity';
import { ChannelAudienceService } from './channel-audience.service';
import type { ChannelRecord } from './channel.directory';

/** Writes what the row of a channel says of its messages. Needs an exclusive transaction. */
@Injectable()
export class NoteMessageService {
  constructor(
    private readonly audiences: ChannelAudienceService,
    private readonly clock: Clock,
  ) {}

  /** Notes a message, and tells everybody who sees the channel where it was silent for long. */
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

  /** Names the oldest message of a channel, or none. */
  async noteFirst(tx: Transaction, channelId: number, firstMessageId: number | null): Promise<void> {
    await tx.query('UPDATE channel SET first_message_id = ? WHERE id = ?', [firstMessageId, channelId]);
    tx.touch('channels', [channelId]);
  }
}
