import { Injectable } from '@nestjs/common';
import { Database } from './database.service';
import { Directories } from '../events/directories';
import { type Counter, Metrics } from '../metrics/metrics';
import type { Queryable } from '../sql/queryable';

/** Runs read-heavy requests on the replica, if there is one. */
@Injectable()
export class ReplicaReader {
  private readonly reads: Counter<'from'>;

  constructor(
    private readonly database: Database,
    private readonly directories: Directories,
    metrics: Metrics,
  ) {
    this.reads = metrics.counter(
      'parley_replica_reads_total',
      'Requests that may read from the replica, by where they did.',
      ['from'],
    );
  }

  /**
   * Runs read-only work.
   * @param work receives a replica with everything committed before the call, or null if it must read from the primary;
   *   may run twice
   */
  async read<T>(work: (replica: Queryable | null) => Promise<T>): Promise<T> {
    if (!this.database.replica) return work(null);
    const { version } = this.directories;
    const replica = version === null ? null : await this.database.replica.queryable();
    this.reads.inc({ from: replica ? 'replica' : 'primary' });
    if (!replica) return work(null);
    const result = await work(replica);
    // Newly granted access may cover older content: rows must not be older than permissions.
    return this.directories.version === version ? result : work(null);
  }
}
