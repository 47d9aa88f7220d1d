import { Inject, Injectable } from '@nestjs/common';
import { ServerFiguresService, StorageFiguresService } from './server-figures.service';
import type { ConfiguredSetting, ServerStatus } from './server-status.api';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { type SettingDefinition, settingsOf } from '../../../platform/config/setting';
import { Database } from '../../../platform/database/database.service';
import { HealthService } from '../../../platform/health/health.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { command, NoInput, operatorCommand } from '../../../platform/operator/operator-commands';
import { RedisLink } from '../../../platform/redis/redis-link';
import { ADVERTISED_VERSION, FEATURE_LEVEL, PROGRAM_VERSION } from '../../../platform/version';
import { ReadAuditLogService } from '../../audit/audit.module';

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
    hooks: Hooks,
  ) {
    this.startedAt = clock.nowSeconds();
    // An upgrade sees by this that another process has taken over.
    hooks.on(
      operatorCommand,
      command('server process', NoInput, async () => ({
        pid: process.pid,
        release: PROGRAM_VERSION,
        isReady: (await this.health.readiness()).problems.length === 0,
      })),
    );
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

/** Shows what the operator configured; of a secret, only whether there is one. */
@Injectable()
export class ServerConfigurationService {
  constructor(private readonly config: Config) {}

  /** In the order of the documentation. */
  list(): ConfiguredSetting[] {
    return settingsOf(Config.prototype).map((definition) => this.shown(definition));
  }

  private shown(definition: SettingDefinition): ConfiguredSetting {
    const { variable, section, about, secret = false } = definition;
    const value = textOf(Reflect.get(this.config, definition.property));
    const { default: initial, defaultMeans = typeof initial === 'string' ? initial : null } = definition;
    return {
      variable,
      section,
      about,
      value: secret ? null : value,
      default: secret ? null : defaultMeans,
      is_secret: secret,
      is_set: value !== null,
    };
  }
}

/** As an operator would write it; null where there is none. */
function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : value === null ? null : JSON.stringify(value);
}
