import type { DataSource } from 'typeorm';
import type { Queryable } from '../../sql/queryable';
import { replicaPool, poolSizes } from '../data-source.options';
import type { PostgresOptions } from '../database.options';
import { poolOf, throughPool } from '../postgres/postgres-client';
import { PostgresHosts } from '../postgres/postgres-hosts';
import { PostgresProcesses } from '../postgres/postgres-processes';
import { type SilenceLimits, SilenceWatch } from '../postgres/silence-watch';
import { RunnerQueryable } from '../query-runner';
import { Replica, type ReplicaPools } from './replica';

/** Where a request that may read from a replica does so. */
export type ReadFrom = 'replica' | 'primary';

/** Reads on the replica that the operator named. */
export class ReplicaReads {
  private listener: (from: ReadFrom) => void = () => undefined;

  private constructor(
    private readonly replica: Replica,
    private readonly watch: SilenceWatch,
    private readonly primary: DataSource,
  ) {}

  /**
   * @param limits how long the replica may be silent in the middle of an answer
   * @throws {StartRefused} where it is a replica of another database
   */
  static async open(
    options: PostgresOptions,
    url: string,
    primary: DataSource,
    limits: SilenceLimits,
  ): Promise<ReplicaReads> {
    const pools: ReplicaPools = {
      look: replicaPool(options, url, 1),
      read: replicaPool(options, url, poolSizes(options).read),
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

  /** Has somebody told of each request that asked for the replica. */
  onRead(listener: (from: ReadFrom) => void): void {
    this.listener = listener;
  }

  /** As `Database.openReplica`. */
  async queryable(): Promise<Queryable | null> {
    const place = await this.replica.caughtUp();
    this.listener(place ? 'replica' : 'primary');
    if (!place) return null;
    const send = this.replica.statements(place, throughPool(this.primary));
    return new RunnerQueryable('postgres', this.primary, send);
  }

  async close(): Promise<void> {
    await this.replica.close();
    this.watch.close();
  }
}
