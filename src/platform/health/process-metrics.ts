import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { Database } from '../database/database.service';
import { Metrics } from '../metrics/metrics';
import { ADVERTISED_VERSION, FEATURE_LEVEL, PROGRAM_VERSION } from '../version';

/** Metrics of the process: memory, garbage collection, event loop, files, and program version. */
@Injectable()
export class ProcessMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    const { registry } = this.metrics;
    const shared = processFigures();
    for (const { name } of shared.getMetricsAsArray()) {
      registry.registerMetric(shared.getSingleMetric(name) as Metric);
    }
    const labels = {
      version: PROGRAM_VERSION,
      interface_version: ADVERTISED_VERSION,
      feature_level: String(FEATURE_LEVEL),
      engine: this.database.engine,
      driver: this.database.driver,
    };
    const build = { name: 'parley_build_info', help: 'What runs here: 1, with versions as labels.' };
    new Gauge({ ...build, labelNames: Object.keys(labels), registers: [registry] }).set(labels, 1);
  }
}

let figures: Registry | null = null;

/** The metrics of the library. It never stops monitoring the event loop, so all nodes of a process share it. */
function processFigures(): Registry {
  if (figures === null) {
    figures = new Registry();
    collectDefaultMetrics({ register: figures });
  }
  return figures;
}

/**
 * Measures every request by route. Requests without a route share one label, because callers can invent any number of
 * paths.
 */
export function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  const durations = metrics.durations(
    'parley_http_request_duration_seconds',
    'Requests, from when they arrive until they are answered, by route. Those of /api/v1/events wait for events.',
    ['method', 'route', 'status'],
  );
  server.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request);
    const method = route === undefined ? 'any' : request.method;
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    durations.observe({ method, route: route ?? 'none', status }, reply.elapsedTime / 1000);
    done();
  });
}

/** Measures the size of unread answers, and how many connections were closed because of it. */
export function measureUnreadAnswers({ unreadAnswers }: FastifyInstance, metrics: Metrics): void {
  metrics.gauge(
    'parley_unread_answer_bytes',
    'Bytes of answers that clients have not taken yet.',
    () => unreadAnswers.bytes,
  );
  const cut = metrics.counter(
    'parley_unread_connections_closed_total',
    'Connections that were closed because their caller, or all callers together, left too many answers unread.',
  );
  unreadAnswers.onCut(() => cut.inc());
}

function routeOf(request: FastifyRequest): string | undefined {
  return request.is404 ? undefined : request.routeOptions.url;
}
