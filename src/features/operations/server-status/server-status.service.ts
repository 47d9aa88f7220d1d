import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { HealthService } from '../../../platform/health/health.service';
import { RedisLink } from '../../../platform/redis/redis-link';
import { ADVERTISED_VERSION, FEATURE_LEVEL, PROGRAM_VERSION } from '../../../platform/version';
import { ReadAuditLogService } from '../../audit/audit.module';
import { ServerFiguresService } from './server-figures.service';
import type { ServerStatus } from './server-status.api';
import { StorageFiguresService } from './storage-figures.service';

/** Says how the server is. */
@Injectable()
export class ServerStatusService {
  private readonly startedAt: number;

  constructor(
    private readonly health: HealthService,
    private readonly figures: ServerFiguresService,
    private readonly storage: StorageFiguresService,
    private readonly audit: ReadAuditLogService,
    private readonly database: Database,
    @Inject(RedisLink) private readonly redis: RedisLink | null,
    clock: Clock,
  ) {
    this.startedAt = clock.nowSeconds();
  }

  async read(): Promise<ServerStatus> {
    const { checks, problems, warnings } = await this.health.readiness();
    return {
      version: PROGRAM_VERSION,
      interface_version: ADVERTISED_VERSION,
      feature_level: FEATURE_LEVEL,
      node_version: process.versions.node,
      started_at: this.startedAt,
      memory_bytes: process.memoryUsage.rss(),
      nodes: await this.countNodes(),
      is_ready: problems.length === 0,
      checks,
      problems,
      warnings,
      last_backup: await this.lastBackup(),
      ...(await this.storage.read()),
      ...(await this.figures.read()),
    };
  }

  /** One process uses a database file; on PostgreSQL there may be any number, which meet in Redis alone. */
  private async countNodes(): Promise<number | null> {
    if (this.database.engine === 'sqlite') return 1;
    return this.redis ? this.redis.countNodes() : null;
  }

  /** The last backup that the audit log has; null if there is none. */
  async lastBackup(): Promise<ServerStatus['last_backup']> {
    const question = { action: 'server.backup_made', isNewestFirst: true };
    const { entries } = await this.audit.page(question, { afterId: 0, offset: 0, limit: 1 });
    const [entry] = entries;
    if (!entry) return null;
    const { with_secret: withSecret } = JSON.parse(entry.details) as { with_secret?: boolean };
    return { made_at: entry.createdAt, with_secret: withSecret === true };
  }
}
