import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { EventLogWriter } from '../events/event-log-writer';
import { SnapshotRegistry } from '../events/snapshot-registry';
import { WakeUp } from '../events/wake-up';
import { Database } from './database.service';
import { PostgresWriter } from './postgres-writer';
import { SqliteWriter } from './sqlite-writer';
import { UnitOfWork } from './unit-of-work';
import type { Work, WorkOptions, WriteLoad, Writer } from './writer';

export type { Transaction } from './transaction';

/**
 * The only way to write. The work gets the open transaction as its argument; what it resolves to is handed
 * on once the commit has happened, and when it rejects, nothing of it is stored. Slow things (hashing,
 * rendering, files, network) belong before it.
 */
@Injectable()
export class TransactionService implements OnApplicationShutdown {
  private readonly writer: Writer;

  constructor(
    private readonly database: Database,
    log: EventLogWriter,
    registry: SnapshotRegistry,
    wakeUp: WakeUp,
  ) {
    const unit = new UnitOfWork(database, log, registry, wakeUp);
    this.writer =
      database.engine === 'sqlite' ? new SqliteWriter(database, unit) : new PostgresWriter(database, unit);
  }

  /** How many writes wait, and how long. */
  get load(): WriteLoad {
    return this.writer.load;
  }

  /**
   * For what changes nothing that snapshots hold; many may share one commit.
   * @param options for the rare work that takes long and lets others read meanwhile
   * @throws {ServerBusy} when too many wait, {@link CommitFailed} when the commit fails
   */
  run<T>(work: Work<T>, options: WorkOptions = {}): Promise<T> {
    return this.writer.submit({ work, isExclusive: false, ...options });
  }

  /**
   * For whatever changes accounts, groups, organization settings, channels or subscriptions. The snapshots
   * equal the database when the work starts, no other work of this kind runs meanwhile on any node, and
   * they hold what it touched before the promise resolves.
   * @throws {ServerBusy} when too many wait, {@link CommitFailed} when the commit fails
   */
  runExclusive<T>(work: Work<T>, options: WorkOptions = {}): Promise<T> {
    return this.writer.submit({ work, isExclusive: true, ...options });
  }

  /** Answers the writes it accepted, then closes the database. */
  async onApplicationShutdown(): Promise<void> {
    await this.writer.close();
    await this.database.close();
  }
}
