import { Inject, Injectable, Logger } from '@nestjs/common';
import { Config } from '../config/config';
import { DatabaseFileGone } from '../database/database.errors';
import { Database } from '../database/database.service';
import { areTablesUsable } from '../database/oldest-release';
import { TransactionService } from '../database/transaction.service';
import { Jobs } from '../jobs/jobs.service';
import { ShutdownSignal } from '../lifecycle/graceful-stop';
import { answerWithin } from '../clock';
import { RedisLink } from '../redis/redis-link';

/** A database that takes longer than this to answer counts as unavailable. */
const PATIENCE_MS = 2_000;

/** Requirements of the server, with the state of each. */
export interface Checks {
  readonly database: 'ok' | 'down' | 'gone';
  /** Unknown while the database is unavailable. */
  readonly migrations: 'ok' | 'other version' | 'unknown';
  readonly redis: 'ok' | 'down' | 'not used';
}

/** Whether requests may be sent to this node. */
export interface Readiness {
  /** Null if they no longer matter, because the server is stopping. */
  readonly checks: Checks | null;
  /** What prevents the node from serving, one sentence each. */
  readonly problems: readonly string[];
  /** What degrades the node, one sentence each. */
  readonly warnings: readonly string[];
}

const FILE_GONE =
  'The database file was deleted, moved or replaced: nothing is stored until it is back, or the server restarts.';

const STOPPING: Readiness = { checks: null, problems: ['The server is stopping.'], warnings: [] };

/** Checks whether the server can work. */
@Injectable()
export class HealthService {
  private readonly logger = new Logger('Health');

  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly shutdown: ShutdownSignal,
    private readonly config: Config,
    private readonly jobs: Jobs,
    @Inject(RedisLink) private readonly redis: RedisLink | null,
  ) {}

  async readiness(): Promise<Readiness> {
    if (this.shutdown.isAnnounced) return STOPPING;
    const [tables, redis] = await Promise.all([this.checkTables(), this.checkRedis()]);
    const problems: string[] = [];
    if (tables.database === 'down') problems.push('The database does not respond.');
    if (tables.database === 'gone') problems.push(FILE_GONE);
    if (tables.migrations === 'other version') problems.push('The tables are not those of this version.');
    // Without Redis each node continues alone; as a problem, it would take all nodes out of service at once.
    const warnings: string[] = [];
    // Likewise, reads continue while the disk is full.
    if (this.transactions.isDiskFull) warnings.push('The disk is full: nothing more can be stored.');
    if (this.transactions.areWritesPaused) warnings.push('Nothing is stored while the database is moved.');
    if (this.jobs.quarantineReason !== null)
      warnings.push(`Nothing is sent to other machines, because ${this.jobs.quarantineReason}.`);
    if (redis === 'down') (this.config.readyNeedsRedis ? problems : warnings).push('Redis does not answer.');
    return { checks: { ...tables, redis }, problems, warnings };
  }

  private async checkTables(): Promise<Pick<Checks, 'database' | 'migrations'>> {
    try {
      this.database.place.assertInPlace();
      const areOwn = await answerWithin(PATIENCE_MS, this.areMigrationsOwn());
      return { database: 'ok', migrations: areOwn ? 'ok' : 'other version' };
    } catch (error) {
      // The caller need not learn internal details.
      this.logger.error('The database does not respond.', error);
      return { database: error instanceof DatabaseFileGone ? 'gone' : 'down', migrations: 'unknown' };
    }
  }

  private async checkRedis(): Promise<Checks['redis']> {
    if (!this.redis) return 'not used';
    return (await this.redis.answers()) ? 'ok' : 'down';
  }

  /** Whether all migrations of this release were applied, and others only by a release that allows this one. */
  private async areMigrationsOwn(): Promise<boolean> {
    const { migrations, read } = this.database;
    const rows = await read.query<{ name: string }>('SELECT name FROM migrations');
    const applied = rows.filter(({ name }) => migrations.has(name)).length;
    if (applied < migrations.size) return false;
    return rows.length === applied || areTablesUsable((sql) => read.query(sql));
  }
}
