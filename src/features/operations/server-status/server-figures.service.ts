import { Injectable } from '@nestjs/common';
import { Metrics, type Sample } from '../../../platform/metrics/metrics';
import type { JobFigures, NodeFigures } from './server-status.api';
import { slowestRoutes } from './slowest-routes';

/** Reads what the parts of the server count, and tells it in the words of the interface. */
@Injectable()
export class ServerFiguresService {
  constructor(private readonly metrics: Metrics) {}

  async read(): Promise<NodeFigures> {
    const one = async (name: string) => (await this.metrics.read(name))[0]?.value ?? null;
    return {
      clients: { queues: await one('parley_event_queues'), waiting_polls: await one('parley_parked_polls') },
      events: {
        kept: await one('parley_event_log_length'),
        oldest_seconds: await one('parley_event_log_oldest_age_seconds'),
        lag: await one('parley_event_log_lag'),
      },
      writes: {
        waiting: await one('parley_write_queue_depth'),
        oldest_seconds: await one('parley_write_queue_oldest_seconds'),
      },
      sign_ins: {
        failed: (await one('parley_logins_failed_total')) ?? 0,
        throttled: (await one('parley_logins_throttled_total')) ?? 0,
      },
      jobs: await this.jobs(),
      slowest_routes: slowestRoutes(await this.metrics.read('parley_http_request_duration_seconds')),
    };
  }

  private async jobs(): Promise<JobFigures[]> {
    const waiting = byKind(await this.metrics.read('parley_jobs_waiting'));
    const oldest = byKind(await this.metrics.read('parley_jobs_oldest_seconds'));
    const done = byKind(await this.metrics.read('parley_jobs_done_total'));
    const failed = byKind(await this.metrics.read('parley_jobs_failed_total'));
    return [...new Set([...waiting.keys(), ...done.keys()])].sort().map((kind) => ({
      kind,
      waiting: waiting.get(kind) ?? null,
      oldest_seconds: oldest.get(kind) ?? null,
      done: done.get(kind) ?? 0,
      failed: failed.get(kind) ?? 0,
    }));
  }
}

function byKind(samples: readonly Sample[]): ReadonlyMap<string, number | null> {
  return new Map(samples.map(({ labels, value }) => [String(labels.kind), value]));
}
