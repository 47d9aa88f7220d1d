import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import { type ChannelRecord, NoteMessageService } from '../../channels';

/** How exactly the time of a channel's last message is kept. */
const SECONDS_A_DAY = 86_400;

/** Keeps the rows of channels in step with their messages. */
@Injectable()
export class ChannelActivityService {
  constructor(
    private readonly directories: Directories,
    private readonly clock: Clock,
    private readonly notes: NoteMessageService,
  ) {}

  /**
   * Keeps everybody from subscribing, leaving and changing the channels until the transaction ends, so that
   * the subscribers in memory are those who receive what is sent now. SQLite writes one thing at a time
   * anyway.
   * @param options `forUpdate` where {@link noteMessage} or another change of their rows will follow, which keeps out
   *   other messages as well
   */
  async lock(
    tx: Transaction,
    channelIds: readonly number[],
    { forUpdate }: { readonly forUpdate: boolean },
  ): Promise<void> {
    if (tx.engine === 'sqlite') return;
    const strength = forUpdate ? 'NO KEY UPDATE' : 'SHARE';
    await tx.query(`SELECT id FROM channel WHERE id IN (?) ORDER BY id FOR ${strength}`, [channelIds]);
    await this.directories.catchUp();
  }

  /** Whether a message has to be noted in the channel's own row, which takes an exclusive transaction. */
  isDue(channel: ChannelRecord): boolean {
    const { firstMessageId, lastMessageAt } = channel;
    if (firstMessageId === null || lastMessageAt === null) return true;
    return this.clock.nowSeconds() - lastMessageAt >= SECONDS_A_DAY;
  }

  /** Notes a message in the row of its channel. Needs an exclusive transaction. */
  async noteMessage(
    tx: Transaction,
    channel: ChannelRecord,
    messageId: number,
    sentAt: number,
  ): Promise<void> {
    await this.notes.noteMessage(tx, channel, messageId, sentAt);
  }
}
