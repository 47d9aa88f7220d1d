import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { MessageScanService } from './message-scan.service';
import { messageFlagAdded } from './messages.events';
import { ownMessages } from './narrow/candidate-search';
import { condition } from './narrow/sql-condition';
import { ReadStateService } from './read-state.service';

/** Marks many messages as read at a time, and tells the person. */
@Injectable()
export class MarkReadService {
  constructor(
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
  ) {}

  /** Marks as read whatever somebody has not read in a channel. */
  async markChannel(tx: Transaction, userId: number, channelId: number): Promise<void> {
    const unread = await this.scan.collect(
      tx,
      {
        conditions: [condition('m.channel_id = ?', channelId)],
        search: ownMessages(userId, { channelId }),
        reads: { set: await this.readState.load(tx, userId), read: false },
      },
      { from: 1, direction: 'newer', limit: Number.MAX_SAFE_INTEGER },
    );
    if (unread.length === 0) return;
    await this.readState.mark(tx, userId, unread, true);
    tx.emit(messageFlagAdded('read', unread), Audience.of([userId]));
  }
}
