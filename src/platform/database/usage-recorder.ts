import { Logger } from '@nestjs/common';
import type { Clock } from '../clock';
import type { Transaction, TransactionService } from './transaction.service';

/** Precision of recorded last uses: a write on every request would cost more than most requests. */
const USE_SECONDS = 300;

/** Maximum number of things whose last use is remembered; beyond that, the memory is cleared. */
const MAX_NOTED = 10_000;

/** Records when things are used, in the background: no request waits for it or fails because of it. */
export class UsageRecorder {
  private readonly logger = new Logger(UsageRecorder.name);

  /** UNIX seconds by ID, even if the write failed: the next request must not retry immediately. */
  private readonly notedAt = new Map<number, number>();
  private writing: Promise<void> = Promise.resolve();

  constructor(
    /** What is used, for the log. */
    private readonly what: string,
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  /**
   * @param knownAt the recorded last use, as far as the caller knows; UNIX seconds
   * @param write stores it in the database
   */
  note(id: number, knownAt: number, write: (tx: Transaction, now: number) => Promise<unknown>): void {
    const now = this.clock.nowSeconds();
    const noted = Math.max(knownAt, this.notedAt.get(id) ?? 0);
    if (now - noted < USE_SECONDS) return;
    if (this.notedAt.size >= MAX_NOTED) this.notedAt.clear();
    this.notedAt.set(id, now);
    this.writing = this.writing
      .then(() =>
        this.transactions.run(async (tx) => {
          await write(tx, now);
        }),
      )
      .catch((error: unknown) => this.logger.warn(`Cannot note the use of ${this.what}.`, error));
  }

  /** Waits until everything so far is written. */
  settled(): Promise<void> {
    return this.writing;
  }
}
