import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics/metrics';

/**
 * Measures every request by its route. Requests without a route share one label, because callers can make up any number
 * of paths.
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

/** Measures what clients have not read yet, and how many connections were closed for that. */
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
