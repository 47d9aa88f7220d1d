import type { PoolClient } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { postgresDataSource, postgresHosts } from './data-source.options';
import { DEFAULT_LIMITS, type PostgresOptions } from './database.options';
import { poolOf } from './postgres/postgres-client';
import { PostgresProcesses } from './postgres/postgres-hosts';
import { SilenceWatch } from './postgres/silence-watch';

/**
 * Connections without statement timeouts, for work such as building an index. They are closed if PostgreSQL owes an
 * answer and is not working on it, as after a broken connection, which would otherwise block forever. Behind a pooler
 * that cannot be checked; there only TCP notices a lost peer.
 */
export class PatientSource {
  /** Whether a connection ended before it was released. */
  isBrokenOff = false;
  private readonly heard = new WeakSet<PoolClient>();

  private constructor(
    readonly source: DataSource,
    private readonly watch: SilenceWatch,
  ) {}

  /** @throws if the server is unreachable */
  static async open(options: PostgresOptions, hosts = postgresHosts(options)): Promise<PatientSource> {
    const source = new DataSource(postgresDataSource(options, 'migrate', hosts));
    await source.initialize();
    const watch = new SilenceWatch(options.pooler === 'none' ? new PostgresProcesses(hosts) : null);
    const { maxSilenceMs } = { ...DEFAULT_LIMITS, ...options.limits };
    watch.watch(poolOf(source), { limitMs: Infinity, patienceMs: maxSilenceMs });
    const patient = new PatientSource(source, watch);
    poolOf(source).on('acquire', (client) => patient.listenTo(client));
    return patient;
  }

  connection(): QueryRunner {
    return this.source.createQueryRunner();
  }

  async close(): Promise<void> {
    try {
      await this.source.destroy();
    } finally {
      this.watch.close();
    }
  }

  private listenTo(client: PoolClient): void {
    if (this.heard.has(client)) return;
    this.heard.add(client);
    client.on('error', () => (this.isBrokenOff = true));
  }
}
