import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.service';
import { TransactionService } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { MuteObserverRegistry, type MuteObserver } from '../muted-users/mute-observer.registry';
import { MessageScanService } from './message-scan.service';
import { messageFlagAdded } from './messages.events';
import { isOwn } from './narrow/personal-conditions';
import { condition } from './narrow/sql-condition';
import { ReadStateService } from './read-state.service';

/** Somebody may have said very much: no transaction marks more than this. */
const MESSAGES_AT_A_TIME = 1_000;

/** Marks as read what somebody said whom a person has just muted; what they say later is read when it is sent. */
@Injectable()
export class MutedSendersService implements MuteObserver {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
    registry: MuteObserverRegistry,
  ) {
    registry.register(this);
  }

  async userMuted(userId: number, mutedUserId: number): Promise<void> {
    const { background } = this.database;
    const unread = {
      conditions: [condition('m.sender_id = ?', mutedUserId), isOwn(userId)],
      reads: { set: await this.readState.load(background, userId), read: false },
    };
    for (let from = 1; ;) {
      const limit = MESSAGES_AT_A_TIME;
      const ids = await this.scan.collect(background, unread, { from, direction: 'newer', limit });
      const last = ids.at(-1);
      if (last === undefined) return;
      await this.markRead(userId, ids);
      from = last + 1;
    }
  }

  private async markRead(userId: number, messageIds: readonly number[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      const marked = await this.readState.mark(tx, userId, messageIds, true);
      if (marked.length > 0) tx.emit(messageFlagAdded('read', marked), Audience.of([userId]));
    });
  }
}
