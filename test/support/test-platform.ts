import type {
  DatabaseLimits,
  DatabaseOptions,
  EntityClass,
} from '../../src/platform/database/database.options';
import { Database } from '../../src/platform/database/database.service';
import { EventLogExpiry, LogClaims } from '../../src/platform/database/event-log-expiry.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { AudienceStore } from '../../src/platform/events/audience';
import { EventLogWriter, EventLog } from '../../src/platform/events/event-log.service';
import { Directories } from '../../src/platform/events/directories';
import { InProcessWakeUp } from '../../src/platform/events/event-log-reader';
import { Metrics } from '../../src/platform/metrics/metrics';
import { Traces } from '../../src/platform/traces/traces';
import type { TestDatabase } from './test-database';
import { OffsetClock } from './test-clocks';

const RETENTION_MS = 3_600_000 * 24;

/** Tables of the test itself, and limits low enough to reach. */
export interface TestPlatformOptions {
  readonly entities?: readonly EntityClass[];
  readonly limits?: Partial<DatabaseLimits>;
}

/** Database and event log of a node, without an application. */
export class TestPlatform {
  readonly clock = new OffsetClock();
  readonly wakeUp = new InProcessWakeUp();
  readonly claims = new LogClaims();
  readonly directories: Directories;
  readonly transactions: TransactionService;
  readonly eventLog: EventLog;
  readonly expiry: EventLogExpiry;

  private constructor(
    readonly database: Database,
    private readonly options: DatabaseOptions,
  ) {
    const audiences = new AudienceStore(this.clock);
    this.directories = new Directories(database);
    const log = new EventLogWriter(audiences, this.clock);
    this.transactions = new TransactionService(
      database,
      log,
      this.directories,
      this.wakeUp,
      new Metrics(),
      new Traces(null),
    );
    this.eventLog = new EventLog(database, audiences);
    this.expiry = new EventLogExpiry(database, this.transactions, this.claims, this.clock, RETENTION_MS);
  }

  static start(test: TestDatabase, options: TestPlatformOptions = {}): Promise<TestPlatform> {
    return TestPlatform.open(test.options({ entities: options.entities }, options.limits));
  }

  static async open(options: DatabaseOptions): Promise<TestPlatform> {
    return new TestPlatform(await Database.open(options), options);
  }

  /** A second node on the same database; PostgreSQL only. */
  anotherNode(): Promise<TestPlatform> {
    return TestPlatform.open(this.options);
  }

  async stop(): Promise<void> {
    await this.transactions.onApplicationShutdown();
  }
}
