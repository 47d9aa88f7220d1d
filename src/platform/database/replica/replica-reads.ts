import type { DataSource } from 'typeorm';
import type { Queryable } from '../../sql/queryable';
import { replicaPool } from '../data-source.options';
import type { PostgresOptions } from '../database.options';
import { poolOf, throughPool } from '../postgres/postgres-client';
import { PostgresHosts, PostgresProcesses } from '../postgres/postgres-hosts';
import { type SilenceLimits, SilenceWatch } from '../postgres/silence-watch';
import { RunnerQueryable } from '../query-runner';
import { Replica, type ReplicaPools } from './replica';

/** Reads on the configured replica. */
export class ReplicaReads {
  private constructor(
    private readonly replica: Replica,
    private readonly watch: SilenceWatch,
    private readonly primary: DataSource,
  ) {}

  /**
   * @param limits how long the replica may be silent in the middle of an answer
   * @throws {StartRefused} if it replicates another database
   */
  static async open(
    options: PostgresOptions,
    url: string,
    primary: DataSource,
    limits: SilenceLimits,
  ): Promise<ReplicaReads> {
    const pools: ReplicaPools = {
      look: replicaPool(options, url, 'look'),
      read: replicaPool(options, url, 'read'),
    };
    const watch = new SilenceWatch(new PostgresProcesses(new PostgresHosts([url])));
    for (const pool of [pools.look, pools.read]) watch.watch(pool, limits);
    try {
      return new ReplicaReads(await Replica.open(poolOf(primary), pools), watch, primary);
    } catch (error) {
      watch.close();
      throw error;
    }
  }

  /**
   * The replica, for one request, with everything committed before this call; null if it does not catch up in time or
   * is unreachable.
   */
  async queryable(): Promise<Queryable | null> {
    const place = await this.replica.caughtUp();
    if (!place) return null;
    const send = this.replica.statements(place, throughPool(this.primary));
    return new RunnerQueryable('postgres', this.primary, send);
  }

  async close(): Promise<void> {
    await this.replica.close();
    this.watch.close();
  }
}
