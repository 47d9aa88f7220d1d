import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { ShutdownSignal } from '../../../platform/lifecycle/shutdown-signal';
import { MutedUserDirectory, userMuted } from '../../muted-users';
import { MessageScanService } from '../scan/message-scan.service';
import { messageFlagAdded } from '../store/messages.events';
import { isOwn } from '../store/personal-conditions';
import { condition } from '../store/sql-condition';
import { ReadStateService } from '../readers/read-state.service';
import { UnfinishedWorkService } from '../store/unfinished-work.service';

/** Somebody may have said very much: no transaction marks more than this. */
const MESSAGES_AT_A_TIME = 1_000;

/** Who muted whom. */
interface Muting {
  readonly userId: number;
  readonly mutedUserId: number;
}

const KIND = 'read what the muted said';

/** Marks as read what somebody said whom a person has just muted; what they say later is read when it is sent. */
@Injectable()
export class MutedSendersService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
    private readonly muted: MutedUserDirectory,
    private readonly shutdown: ShutdownSignal,
    private readonly work: UnfinishedWorkService,
    hooks: Hooks,
  ) {
    hooks.on(userMuted, async (tx, userId, mutedUserId) => {
      const noted = await this.work.note(tx, KIND, { userId, mutedUserId } satisfies Muting);
      tx.afterCommit(() => this.work.carryOut(noted));
    });
    work.register<Muting>(KIND, (muting) => this.markAllRead(muting));
  }

  private async markAllRead({ userId, mutedUserId }: Muting): Promise<boolean> {
    const { background } = this.database;
    const unread = {
      conditions: [condition('m.sender_id = ?', mutedUserId), isOwn(userId)],
      reads: { set: await this.readState.load(background, userId), read: false },
    };
    for (let from = 1; !this.shutdown.isStopping;) {
      // Somebody may have thought better of it.
      if (!this.muted.mutedBy(userId).has(mutedUserId)) return true;
      const limit = MESSAGES_AT_A_TIME;
      const ids = await this.scan.collect(background, unread, { from, direction: 'newer', limit });
      const last = ids.at(-1);
      if (last === undefined) return true;
      await this.markRead(userId, ids);
      from = last + 1;
    }
    return false;
  }

  private async markRead(userId: number, messageIds: readonly number[]): Promise<void> {
    await this.transactions.run(async (tx) => {
      const marked = await this.readState.mark(tx, userId, messageIds, 'read');
      if (marked.length > 0) tx.emit(messageFlagAdded('read', marked), Audience.of([userId]));
    });
  }
}
