import { Logger } from '@nestjs/common';
import type { Clock } from '../clock';
import type { Transaction, TransactionService } from './transaction.service';

/** How exactly it is known when something was used: a write with every request would cost more than most requests. */
const USE_SECONDS = 300;

/** Things whose last note is remembered; beyond that, all are forgotten. */
const MAX_NOTED = 10_000;

/** Notes when things are used, in the background: no request waits for it, and none fails over it. */
export class UseNotes {
  private readonly logger = new Logger(UseNotes.name);

  /** UNIX seconds by the ID of the thing, also where writing failed: the next request is not to try at once again. */
  private readonly notedAt = new Map<number, number>();
  private writing: Promise<void> = Promise.resolve();

  constructor(
    /** What is used, in words for the log. */
    private readonly what: string,
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  /**
   * @param knownAt when its use was last noted, as far as the caller knows; UNIX seconds
   * @param write notes it in the database
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
