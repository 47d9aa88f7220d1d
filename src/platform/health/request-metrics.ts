import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics/metrics';

/** Measures every request by its route. What no route takes goes under one name, since anybody may make up paths. */
export function measureRequests(server: FastifyInstance, metrics: Metrics): void {
  const durations = metrics.durations(
    'parley_http_request_duration_seconds',
    'Requests, from when they arrive until they are answered, by route. Those of /api/v1/events wait for events.',
    ['method', 'route', 'status'],
  );
  server.addHook('onResponse', (request, reply, done) => {
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    durations.observe({ ...routeOf(request), status }, reply.elapsedTime / 1000);
    done();
  });
}

function routeOf({ is404, method, routeOptions }: FastifyRequest): { method: string; route: string } {
  if (is404 || routeOptions.url === undefined) return { method: 'any', route: 'none' };
  return { method, route: routeOptions.url };
}
