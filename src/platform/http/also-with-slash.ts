import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, RouteOptions } from 'fastify';

interface SlashConfig {
  readonly alsoWithSlash?: boolean;
}

/** The route answers under its path with a slash at the end, too: there are clients that ask for it in this form. */
export const AlsoWithSlash = () => RouteConfig({ alsoWithSlash: true } satisfies SlashConfig);

/** Adds the second path of those routes. */
export function registerSlashes(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    // The second path of a GET gets its own HEAD, as the first one did.
    const isNew = route.method !== 'HEAD' && !route.url.endsWith('/');
    if (isNew && wantsSlash(route)) fastify.route({ ...route, url: `${route.url}/` });
  });
}

function wantsSlash({ config }: RouteOptions): boolean {
  const asked: SlashConfig = config ?? {};
  return asked.alsoWithSlash === true;
}
