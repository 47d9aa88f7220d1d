import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { defineJob, type RunningJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { MutedUserDirectory, userMuted } from '../../personal/personal.module';
import { MessageScanService } from '../scan/message-scan.service';
import { messageFlagAdded } from '../store/message-records.api';
import { condition, isOwn } from '../store/personal-conditions';
import { ReadStateService } from '../readers/read-state.service';

/** A muted person may have written very much: no transaction marks more than this. */
const MESSAGES_AT_A_TIME = 1_000;

/** Who muted whom. */
interface Muting {
  readonly userId: number;
  readonly mutedUserId: number;
}

/** Marks as read what the muted person said. */
const readMutedSender = defineJob<Muting>('read_muted_sender');

/** Failed work is tried again for as long as a request may wait for it. */
const RETRY = { delaysMs: [5_000, 60_000, 600_000], forMs: 7 * 86_400_000 };

const MAX_WORK_MS = 10 * 60_000;

/** Marks as read what a newly muted person has written; what they write later is read when it is sent. */
@Injectable()
export class MutedSendersService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly scan: MessageScanService,
    private readonly readState: ReadStateService,
    private readonly muted: MutedUserDirectory,
    jobs: Jobs,
    hooks: Hooks,
  ) {
    jobs.handle(readMutedSender, {
      work: (job) => this.markAllRead(job),
      retry: RETRY,
      timeoutMs: MAX_WORK_MS,
      concurrency: 4,
      stopsAtOnce: true,
    });
    hooks.on(userMuted, async (tx, userId, mutedUserId) => {
      const id = await jobs.enqueue(tx, { kind: readMutedSender, data: { userId, mutedUserId } });
      // As a rule, the request that mutes is answered once this is done.
      tx.afterCommit(() => jobs.ended(readMutedSender, id));
    });
  }

  private async markAllRead({ data, signal }: RunningJob<Muting>): Promise<void> {
    const { userId, mutedUserId } = data;
    const { background } = this.database;
    const unread = {
      conditions: [condition('m.sender_id = ?', mutedUserId), isOwn(userId)],
      reads: { set: await this.readState.load(background, userId), read: false },
    };
    for (let from = 1; ;) {
      signal.throwIfAborted();
      // The person may have unmuted them by now.
      if (!this.muted.mutedBy(userId).has(mutedUserId)) return;
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
      const marked = await this.readState.mark(tx, userId, messageIds, 'read');
      if (marked.length > 0) tx.emit(messageFlagAdded('read', marked), Audience.of([userId]));
    });
  }
}
