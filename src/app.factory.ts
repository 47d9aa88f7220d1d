import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module';
import { Clock } from './platform/clock';
import type { Config } from './platform/config/config';
import { makeDataFolder } from './platform/config/data-folder';
import { TransactionService } from './platform/database/transaction.service';
import { measureRequests, measureUnreadAnswers } from './platform/health/process-metrics';
import { fastifyOptions, prepareFastify, refusePausedWrites } from './platform/http/prepare-fastify';
import { tlsIdentity } from './platform/http/tls';
import { closeConnectionsWhileStopping, ShutdownSignal } from './platform/lifecycle/graceful-stop';
import {
  AccessLog,
  type LogDestination,
  loggerOptions,
  requestLogger,
} from './platform/logging/logger-options';
import { NestLogger } from './platform/logging/nest-logger';
import { ProcessPurpose } from './platform/lifecycle/periodic-task';
import { loadModules, namingModules } from './platform/modules/load-modules';
import { Metrics } from './platform/metrics/metrics';
import { Traces } from './platform/traces/traces';
import { requireDatabaseOfSecret } from './platform/secrets/secret-check.service';

/** Parts of the surrounding process that tests replace. */
export interface AppSurroundings {
  /** Receives log lines; standard output by default. */
  readonly log?: LogDestination;
  /** The clock; the system's by default. */
  readonly clock?: Clock;
}

/**
 * Builds the server, for `main.ts` and for tests alike; it is connected to its database but does not listen yet.
 * @throws {StartRefused} for problems that the operator can fix
 */
export async function createApp(
  config: Config,
  surroundings: AppSurroundings = {},
): Promise<NestFastifyApplication> {
  makeDataFolder(config);
  requireDatabaseOfSecret(config);
  const modules = loadModules(config);
  const tls = tlsIdentity(config);
  const clock = surroundings.clock ?? new Clock();
  const transport = { trustedProxies: config.trustedProxies, behindTls: config.isReachedThroughTls };
  const adapter = new FastifyAdapter({
    ...fastifyOptions({ ...transport, tls }),
    logger: loggerOptions(config, surroundings.log, clock),
    childLoggerFactory: requestLogger,
    logController: new AccessLog(),
  });
  const server = adapter.getInstance();
  prepareFastify(server, { ...transport, hosts: config.hosts });
  const purpose = new ProcessPurpose(true);
  const module = AppModule.forRoot(config, clock, purpose, modules);
  const options = {
    bodyParser: false,
    logger: new NestLogger(server.log),
    abortOnError: false,
    // The server is created above; this tells Nest which scheme its URL has.
    ...(tls && { httpsOptions: {} }),
  } as const;
  const app = await namingModules(modules, () =>
    NestFactory.create<NestFastifyApplication>(module, adapter, options),
  );
  closeConnectionsWhileStopping(server, app.get(ShutdownSignal));
  const transactions = app.get(TransactionService);
  refusePausedWrites(server, () => transactions.areWritesPaused);
  app.get(Traces).tracer?.watchRequests(server);
  measureRequests(server, app.get(Metrics));
  measureUnreadAnswers(server, app.get(Metrics));
  return app;
}
