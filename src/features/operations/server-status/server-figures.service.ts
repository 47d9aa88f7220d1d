import { statfs } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { JobFigures, NodeFigures, RouteFigures, StorageFigures } from './server-status.api';
import { answerWithin } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { Metrics, type Sample } from '../../../platform/metrics/metrics';

const SHOWN = 10;
const QUANTILE = 0.95;

/** Long polling, where clients wait while nothing happens. */
const POLLING = '/api/v1/events';

/** Counts of one route, over all status codes. */
interface Tally {
  readonly method: string;
  readonly route: string;
  requests: number;
  seconds: number;
  /** How many requests took at most this many seconds. */
  readonly within: Map<number, number>;
}

/**
 * The routes with the highest average duration.
 * @param samples of durations by method and route
 */
export function slowestRoutes(samples: readonly Sample[]): RouteFigures[] {
  const tallies = new Map<string, Tally>();
  for (const sample of samples) add(tallies, sample);
  return [...tallies.values()]
    .filter(({ requests }) => requests > 0)
    .map((tally) => ({
      method: tally.method,
      route: tally.route,
      requests: tally.requests,
      mean_ms: milliseconds(tally.seconds / tally.requests),
      p95_ms: milliseconds(quantile(tally)),
    }))
    .sort((one, other) => other.mean_ms - one.mean_ms)
    .slice(0, SHOWN);
}

function add(tallies: Map<string, Tally>, { name, labels, value }: Sample): void {
  const { method = '', route = '', le } = labels;
  if (route === POLLING || value === null) return;
  const key = `${method} ${route}`;
  const fresh = { method: String(method), route: String(route), requests: 0, seconds: 0, within: new Map() };
  const tally: Tally = tallies.get(key) ?? fresh;
  tallies.set(key, tally);
  if (name.endsWith('_sum')) tally.seconds += value;
  else if (name.endsWith('_count')) tally.requests += value;
  else if (le !== '+Inf') tally.within.set(Number(le), (tally.within.get(Number(le)) ?? 0) + value);
}

/** Interpolates linearly within the bucket; beyond the last one, returns its bound. */
function quantile({ requests, within }: Tally): number {
  const wanted = requests * QUANTILE;
  let [below, counted] = [0, 0];
  for (const [bound, count] of [...within].sort(([one], [other]) => one - other)) {
    if (count >= wanted) return below + ((bound - below) * (wanted - counted)) / (count - counted);
    [below, counted] = [bound, count];
  }
  return below;
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 10_000) / 10;
}

/** Reads the server's counters for the status endpoint. */
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

/** Administrators wait for the response, and need the other figures all the more if the database is unresponsive. */
const PATIENCE_MS = 2_000;

const BYTES_OF = {
  postgres: 'SELECT pg_database_size(current_database()) AS bytes',
  sqlite: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
};

/** Measures the size and response time of the database, and the free disk space. */
@Injectable()
export class StorageFiguresService {
  private readonly logger = new Logger('Storage');

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {}

  async read(): Promise<StorageFigures> {
    const { engine, driver, read, background } = this.database;
    const began = performance.now();
    const answers = await this.attempt(answerWithin(PATIENCE_MS, read.query('SELECT 1 AS one')));
    const tookMs = performance.now() - began;
    // Slow on a large database, but blocks no other work.
    const size = background.query<{ bytes: number | string }>(BYTES_OF[engine]);
    const [row] = (await this.attempt(answerWithin(PATIENCE_MS, size))) ?? [];
    return {
      database: {
        engine,
        driver,
        bytes: row ? Number(row.bytes) : null,
        answer_ms: answers ? Math.round(tookMs * 100) / 100 : null,
      },
      disk: await this.disk(),
    };
  }

  /** Null if the system does not report it. */
  async disk(): Promise<StorageFigures['disk']> {
    const figures = await this.attempt(statfs(this.config.dataDir));
    if (!figures) return null;
    const { bsize, blocks, bavail } = figures;
    return { total_bytes: bsize * blocks, free_bytes: bsize * bavail };
  }

  private async attempt<T>(asked: Promise<T>): Promise<T | null> {
    try {
      return await asked;
    } catch (error) {
      this.logger.warn(error);
      return null;
    }
  }
}
