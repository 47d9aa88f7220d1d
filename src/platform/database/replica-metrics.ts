import { Injectable } from '@nestjs/common';
import { Metrics } from '../metrics/metrics';
import { Database } from './database.service';

/** Shows how much a replica takes off the primary. */
@Injectable()
export class ReplicaMetrics {
  constructor(metrics: Metrics, database: Database) {
    const reads = metrics.counter(
      'parley_replica_reads_total',
      'Requests that may read from the replica, by where they did.',
      ['from'],
    );
    database.replica?.onRead((from) => reads.inc({ from }));
  }
}
