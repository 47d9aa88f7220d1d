import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { TransactionService } from '../../../platform/database/transaction.service';
import { UsageRecorder } from '../../../platform/database/usage-recorder';
import type { LoginSession } from './login-session.entity';

/** Records when sessions are used. */
@Injectable()
export class SessionUse implements OnModuleDestroy {
  private readonly notes: UsageRecorder;

  constructor(transactions: TransactionService, clock: Clock) {
    this.notes = new UsageRecorder('a session', transactions, clock);
  }

  /**
   * Records the use of a session.
   * @param endOf returns the new expiry after a use at the given time
   */
  note(
    { id, createdAt, lastUsedAt }: Pick<LoginSession, 'id' | 'createdAt' | 'lastUsedAt'>,
    endOf: (usedAt: number) => number,
  ): void {
    this.notes.note(id, Math.max(createdAt, lastUsedAt ?? 0), (tx, now) =>
      tx.query('UPDATE login_session SET last_used_at = ?, expires_at = ? WHERE id = ?', [
        now,
        endOf(now),
        id,
      ]),
    );
  }

  /** Waits until everything so far is written. */
  settled(): Promise<void> {
    return this.notes.settled();
  }

  onModuleDestroy(): Promise<void> {
    return this.settled();
  }
}
