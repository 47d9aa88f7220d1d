import type { Server } from 'node:http';
import { Global, Module, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { FastifyHttpOptions, FastifyRequest } from 'fastify';
import { Role, type Actor } from '../../../src/platform/actor';
import { Clock } from '../../../src/platform/clock';
import { Unauthorized } from '../../../src/platform/errors/shared.errors';
import { accessPolicy } from '../../../src/platform/http/access.guard';
import { fastifyOptions, prepareFastify } from '../../../src/platform/http/prepare-fastify';
import { HttpModule } from '../../../src/platform/http/http.module';
import type { RequestLimits } from '../../../src/platform/http/body/request-limits';
import type { UnreadLimits } from '../../../src/platform/http/unread-answers';
import { StoppedClock } from '../../support/test-clocks';

/** Header with which a test says who is calling, in place of real credentials. */
const ACTOR_HEADER = 'x-test-actor';

export const member: Actor = {
  userId: 10,
  role: Role.member,
  isBot: false,
  botType: null,
  ownerId: null,
  way: 'main',
  address: '127.0.0.1',
  clientName: 'test',
};

/** The headers of a request made by a member, or by somebody who differs from one. */
export function as(changes: Partial<Actor> = {}): Record<string, string> {
  return { [ACTOR_HEADER]: JSON.stringify({ ...member, ...changes }) };
}

class HeaderAuthentication implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const header = request.headers[ACTOR_HEADER];
    if (header === 'refused') {
      throw new Unauthorized('Invalid API key');
    }
    if (typeof header === 'string' && !accessPolicy(context).public) {
      request.actor = JSON.parse(header) as Actor;
    }
    return true;
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: HeaderAuthentication }] })
class AuthenticationModule {}

export interface HttpAppOptions {
  rateLimitPerMinute?: number;
  limits?: RequestLimits;
  unreadLimits?: UnreadLimits;
  behindTls?: boolean;
  trustedProxies?: string[];
  /** Options of Fastify that differ from those of the real server. */
  fastify?: FastifyHttpOptions<Server>;
}

export interface HttpApp {
  readonly app: NestFastifyApplication;
  readonly clock: StoppedClock;
}

/** A real application of the layer under test with throwaway controllers. */
export async function createHttpApp(
  controllers: Type[],
  {
    rateLimitPerMinute = 0,
    limits,
    unreadLimits,
    behindTls,
    trustedProxies = [],
    fastify,
  }: HttpAppOptions = {},
): Promise<HttpApp> {
  const clock = new StoppedClock();
  @Global()
  @Module({ providers: [{ provide: Clock, useValue: clock }], exports: [Clock] })
  class ClockModule {}
  const http = HttpModule.forRootAsync({ useFactory: () => ({ rateLimitPerMinute }) });
  @Module({ imports: [ClockModule, AuthenticationModule, http], controllers })
  class AppModule {}

  const testing = await Test.createTestingModule({ imports: [AppModule] }).compile();
  const adapter = new FastifyAdapter({ ...fastifyOptions({ trustedProxies, behindTls }), ...fastify });
  const app = testing.createNestApplication<NestFastifyApplication>(adapter, {
    bodyParser: false,
    logger: false,
  });
  prepareFastify(adapter.getInstance(), { limits, unreadLimits, trustedProxies, behindTls });
  await app.init();
  await adapter.getInstance().ready();
  return { app, clock };
}
