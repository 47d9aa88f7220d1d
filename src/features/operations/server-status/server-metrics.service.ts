import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { HealthService } from '../../../platform/health/health.service';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { Metrics } from '../../../platform/metrics/metrics';
import { ServerStatusService } from './server-status.service';
import { StorageFiguresService } from './server-figures.service';

/** Defines the metrics for operators' alerts: readiness, disk, backups, schema, quarantine. */
@Injectable()
export class ServerMetrics {
  constructor(
    metrics: Metrics,
    private readonly health: HealthService,
    private readonly storage: StorageFiguresService,
    private readonly status: ServerStatusService,
    private readonly database: Database,
    transactions: TransactionService,
    jobs: Jobs,
  ) {
    metrics.gauge('parley_ready', '1 if this node can take requests, otherwise 0.', () => this.ready());
    metrics.gauges(
      {
        parley_disk_free_bytes: 'Free space on the disk with the data folder.',
        parley_disk_size_bytes: 'Size of the disk with the data folder.',
      },
      () => this.disk(),
    );
    metrics.gauge('parley_disk_full', '1 if the last write found no space, otherwise 0.', () =>
      Number(transactions.isDiskFull),
    );
    metrics.gauge(
      'parley_backup_last_success_timestamp_seconds',
      'When the last backup was complete; 0 if there is none.',
      () => this.lastBackup(),
    );
    metrics.gauge('parley_quarantined', '1 while nothing is sent to other machines, otherwise 0.', () =>
      Number(jobs.quarantineReason !== null),
    );
    metrics.gaugesBy(
      'schema',
      { parley_schema_info: 'The newest migration of the database: 1, with its name as label.' },
      () => this.schema(),
    );
  }

  private async ready(): Promise<number> {
    const { problems } = await this.health.readiness();
    return Number(problems.length === 0);
  }

  private async disk() {
    const disk = await this.storage.disk();
    return {
      parley_disk_free_bytes: disk?.free_bytes ?? NaN,
      parley_disk_size_bytes: disk?.total_bytes ?? NaN,
    };
  }

  private async lastBackup(): Promise<number> {
    return (await this.status.lastBackup())?.made_at ?? 0;
  }

  private async schema() {
    const rows = await this.database.read.query<{ name: string }>(
      'SELECT name FROM migrations ORDER BY id DESC LIMIT 1',
    );
    return new Map(rows.map(({ name }) => [name, { parley_schema_info: 1 }]));
  }
}
