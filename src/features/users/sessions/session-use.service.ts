import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { TransactionService } from '../../../platform/database/transaction.service';
import type { LoginSession } from './login-session.entity';

/** How exactly the last use is known: a write with every request would cost more than most requests. */
const USE_SECONDS = 300;

/** Sessions whose last note is remembered; beyond that, all are forgotten. */
const MAX_NOTED = 10_000;

/** Notes when sessions are used, in the background: no request waits for it, and none fails over it. */
@Injectable()
export class SessionUse implements OnModuleDestroy {
  private readonly logger = new Logger(SessionUse.name);

  /** UNIX seconds by the ID of the session, also where writing failed: the next request is not to try at once again. */
  private readonly notedAt = new Map<number, number>();
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  /** Records the use of a session. */
  note({ id, createdAt, lastUsedAt }: Pick<LoginSession, 'id' | 'createdAt' | 'lastUsedAt'>): void {
    const now = this.clock.nowSeconds();
    const noted = Math.max(createdAt, lastUsedAt ?? 0, this.notedAt.get(id) ?? 0);
    if (now - noted < USE_SECONDS) return;
    if (this.notedAt.size >= MAX_NOTED) this.notedAt.clear();
    this.notedAt.set(id, now);
    const write = () =>
      this.transactions.run(async (tx) => {
        await tx.query('UPDATE login_session SET last_used_at = ? WHERE id = ?', [now, id]);
      });
    this.writing = this.writing
      .then(write)
      .catch((error: unknown) => this.logger.warn('Cannot note the use of a session.', error));
  }

  /** Waits until everything so far is written. */
  settled(): Promise<void> {
    return this.writing;
  }

  onModuleDestroy(): Promise<void> {
    return this.settled();
  }
}
