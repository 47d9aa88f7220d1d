import { Global, Module } from '@nestjs/common';
import { Config } from '../config/config';
import { Metrics } from '../metrics/metrics';
import { WorkerLink, workerNumber } from './worker-link';
import { WorkerMetrics } from './worker-metrics';

/** Provides the link to the other workers of this server, {@link WorkerLink}: null for a single process. */
@Global()
@Module({
  providers: [
    {
      provide: WorkerLink,
      inject: [Config],
      useFactory: ({ workers }: Config) => (workerNumber() === null ? null : new WorkerLink(workers)),
    },
    {
      provide: WorkerMetrics,
      inject: [Metrics, WorkerLink],
      useFactory: (metrics: Metrics, link: WorkerLink | null) => new WorkerMetrics(metrics, link),
    },
  ],
  exports: [WorkerLink, WorkerMetrics],
})
export class WorkersModule {}
