import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Directories } from '../events/directories';
import { EventLogReader } from '../events/event-log-reader';
import { Hooks } from '../hooks/hooks';
import { PeriodicTask } from '../lifecycle/periodic-task';
import { Rounds } from '../rounds';
import { commitsLost, lostCommitsNoted } from './database.hooks';
import { TransactionService } from './transaction.service';

/**
 * The log goes on at a multiple of this, beyond every number that a lost event had. Nodes that read differently far agree
 * on it, so that what one of them ended another one does not end again.
 */
const NUMBERS_APART = 1_000_000;

const TRY_AGAIN_MS = 1_000;

/**
 * Has the node go on rightly where PostgreSQL lost commits: numbers of lost events are never given again, the directories
 * are loaded anew, and clients, who know of what is no longer so, have to register again.
 */
@Injectable()
export class LostCommits implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('LostCommits');
  private readonly task = new PeriodicTask('LostCommits', () => this.notes.join());
  private readonly notes = new Rounds(() => this.note());
  /** Up to where numbers belong to the time before; null where nothing is left to be done. */
  private pending: number | null = null;

  constructor(
    reader: EventLogReader,
    private readonly directories: Directories,
    private readonly transactions: TransactionService,
    private readonly hooks: Hooks,
  ) {
    reader.onSetBack((position) => this.begin(position));
  }

  onApplicationBootstrap(): void {
    this.task.start(TRY_AGAIN_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  private begin(position: number): number {
    const upTo = (Math.floor(position / NUMBERS_APART) + 1) * NUMBERS_APART;
    this.pending = Math.max(this.pending ?? 0, upTo);
    this.hooks.ask(commitsLost, upTo);
    this.notes.join().catch((error: unknown) => this.logger.error(error));
    return upTo;
  }

  /** Tried again until it is done: the database may be lost a second time in between. */
  private async note(): Promise<void> {
    const upTo = this.pending;
    if (upTo === null) return;
    await this.directories.loadAll();
    await this.transactions.runExclusive(async (tx) => {
      await tx.query(
        "SELECT setval('event_log_number_seq', ?) FROM event_log_number_seq WHERE last_value < ?",
        [upTo, upTo],
      );
      // Events whose audience was lost are delivered to no one: all clients register anew.
      await tx.query(
        `UPDATE event_log SET audience = ''
         WHERE audience IS NULL AND audience_id IS NULL AND number > ?`,
        [upTo - 2 * NUMBERS_APART],
      );
      await this.hooks.run(lostCommitsNoted, tx, upTo);
    });
    if (this.pending === upTo) this.pending = null;
  }
}
