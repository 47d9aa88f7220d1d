import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { NeedsExclusive } from '../../../platform/database/database.errors';
import type { Transaction } from '../../../platform/database/transaction.service';
import {
  ChannelActivityService,
  ChannelAudienceService,
  ChannelDirectory,
  channelFirstMessageChanged,
  type ChannelRecord,
  FOR_ARCHIVED_CHANNELS,
} from '../../channels/channels.module';

/** How exactly the time of a channel's last message is kept. */
const SECONDS_A_DAY = 86_400;

/** A message that came to a channel from another one. */
interface Arrival {
  readonly id: number;
  /** UNIX seconds. */
  readonly sentAt: number;
}

/** Keeps the rows of channels in step with messages that come from elsewhere or go. */
@Injectable()
export class ChannelRowsService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly audiences: ChannelAudienceService,
    private readonly activity: ChannelActivityService,
  ) {}

  /** Whether the first message of any channel is known to be among these. */
  isAnyFirst(messageIds: readonly number[]): boolean {
    const asked = new Set(messageIds);
    return this.channels
      .all()
      .some(({ firstMessageId }) => firstMessageId !== null && asked.has(firstMessageId));
  }

  /** Whether a message that arrives makes a channel look livelier than its row says. */
  isLivelier({ lastMessageAt }: ChannelRecord, { sentAt }: Omit<Arrival, 'id'>): boolean {
    return lastMessageAt === null || sentAt - lastMessageAt >= SECONDS_A_DAY;
  }

  /** Notes the newest of the messages that arrived in a locked channel. @throws NeedsExclusive */
  async noteArrival(tx: Transaction, channel: ChannelRecord, newest: Arrival): Promise<void> {
    if (!this.isLivelier(channel, newest)) return;
    if (!tx.isExclusive) throw new NeedsExclusive();
    await this.activity.noteMessage(tx, channel, newest.id, newest.sentAt);
  }

  /**
   * Call this last, after messages of a locked channel came or went.
   * @returns whether the first message is another one now
   * @throws NeedsExclusive where the channel's row has to name it and may not
   */
  async renewFirst(tx: Transaction, channelId: number): Promise<boolean> {
    const channel = this.channels.byId(channelId);
    const firstMessageId = await firstMessage(tx, channelId);
    if (!channel || channel.firstMessageId === firstMessageId) return false;
    if (!tx.isExclusive) throw new NeedsExclusive();
    await this.activity.noteFirst(tx, channelId, firstMessageId);
    return true;
  }

  /** Tells which message is a channel's first. */
  async tellFirst(tx: Transaction, channelId: number): Promise<void> {
    const channel = this.channels.byId(channelId);
    if (!channel) return;
    tx.emit(
      channelFirstMessageChanged(channel, await firstMessage(tx, channelId)),
      this.audiences.viewersOf(channel),
      channel.isArchived ? FOR_ARCHIVED_CHANNELS : {},
    );
  }
}

async function firstMessage(db: Queryable, channelId: number): Promise<number | null> {
  const [row] = await db.query<{ id: number | null }>(
    'SELECT MIN(id) AS id FROM message WHERE channel_id = ?',
    [channelId],
  );
  return row?.id ?? null;
}
