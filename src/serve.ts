import { type INestApplicationContext, Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from './app.factory';
import { FirstSignInService } from './features/auth/auth.module';
import {
  type FirstSignIn,
  FirstSignInFile,
  FirstStartService,
  OwnerZuliprc,
  signInNotice,
  UpdateNoticeService,
} from './features/organization/organization.module';
import { refuseUnfinishedImport } from './features/moving/moving.module';
import type { Config } from './platform/config/config';
import { explainSocketFailure, givenSocket, refuseDevelopmentOnSocket } from './platform/config/given-socket';
import { isStartedByNpm, loadConfigWith } from './platform/config/load-config';
import { Database } from './platform/database/database.service';
import { renewTlsOnHangup } from './platform/http/tls';
import { keepProgram } from './platform/lifecycle/kept-program';
import { LoadedModules, namingModules } from './platform/modules/load-modules';
import { stopOnSignals, type StopTimes, whenNpmShellEnds } from './platform/lifecycle/graceful-stop';
import { explainListenFailure, explainStartFailure } from './platform/config/start-refused';
import { OperatorSocket } from './platform/operator/operator-socket';
import { logLine } from './platform/logging/log-line';
import { WorkerLink, workerNumber } from './platform/workers/worker-link';
import { WorkerSupervisor } from './platform/workers/worker-supervisor';
import { startUpNotice } from './start-up-notice';

/**
 * Maximum number of connections that wait to be accepted: after a start, all clients reconnect at once. The system may
 * allow fewer.
 */
const BACKLOG = 4_096;

/**
 * Starts the server, which runs until a signal stops it. Ends the process if the start fails.
 * @param given variables that override the environment
 */
export async function serve(given: Readonly<Record<string, string | undefined>> = {}): Promise<void> {
  await start(given).catch((error: unknown) => {
    process.stderr.write(explainStartFailure(error));
    process.exit(1);
  });
}

async function start(given: Readonly<Record<string, string | undefined>>): Promise<void> {
  // Files are created for the server's own user only, whatever the mode of their folder.
  process.umask(0o077);
  const config = loadConfigWith(given);
  if (socketOfServer() !== null) refuseDevelopmentOnSocket(config);
  const worker = workerNumber();
  if (config.workers > 1 && worker === null) return supervise(config);
  const app = await createApp(config);
  const isStopping = stopOnSignals(app, stopTimes(config), isStartedByNpm() && worker === null);
  await open(app, config).catch((error: unknown) => {
    // Errors after a stop was requested are expected; the process ends once everything is closed.
    if (!isStopping()) throw error;
  });
}

/** Accepts clients. */
async function open(app: NestFastifyApplication, config: Config): Promise<void> {
  if (config.tlsCert !== null) renewTlsOnHangup(app.getHttpAdapter().getInstance(), config);
  await namingModules(app.get(LoadedModules).all, () => app.init());
  await refuseUnfinishedImport(app.get(Database).read);
  const firstStart = app.get(FirstStartService);
  const first = await firstStart.run();
  if (!first) app.get(OwnerZuliprc).renew();
  const { port, host } = config;
  const fd = socketOfServer();
  const place = { port, host, backlog: BACKLOG, ...(fd !== null && { fd }) };
  await app
    .listen({ ...place, listenTextResolver: (address) => `Opened ${address}.` })
    .catch((error: unknown) => {
      throw fd === null ? explainListenFailure(error, config) : explainSocketFailure(error);
    });
  const url = await app.getUrl();
  const site = config.siteAt(url);
  const signIn = first && (await howToSignIn(app, first, url, site));
  await app.get(OperatorSocket).open(site);
  // Logged last, because waiting programs then use `zuliprc` and the socket.
  new Logger('Start').log(`Server listening at ${url}`);
  // Only one of several workers logs it.
  if ((workerNumber() ?? 1) === 1)
    process.stdout.write(startUpNotice(config, app.get(Database), url, signIn, process.stdout.isTTY));
  if (first) await firstStart.finish();
  await app.get(UpdateNoticeService).post();
  app.get<WorkerLink | null>(WorkerLink)?.tellServing();
  keepProgram();
}

function stopTimes({ shutdownDelaySeconds, shutdownTimeoutSeconds }: Config): StopTimes {
  return {
    delay: shutdownDelaySeconds,
    timeout: shutdownTimeoutSeconds,
    isPortHeld: socketOfServer() !== null,
  };
}

/** Workers use the socket of their parent process. */
function socketOfServer(): number | null {
  return givenSocket(workerNumber() === null ? process.pid : process.ppid);
}

/** Runs the server as several processes; each of them calls {@link serve} again. */
async function supervise(config: Config): Promise<void> {
  const supervisor = new WorkerSupervisor({
    workers: config.workers,
    stopsWithinMs: (config.shutdownDelaySeconds + config.shutdownTimeoutSeconds) * 1000,
    takesHangup: config.tlsCert !== null,
    isPortHeld: socketOfServer() !== null,
    log: (sentence) => process.stdout.write(logLine('error', 'Workers', sentence)),
  });
  whenNpmShellEnds(isStartedByNpm(), () => process.kill(process.pid, 'SIGTERM'));
  process.exit(await supervisor.run());
}

/** The sign-in instructions of the first start. A log does not get the password. */
async function howToSignIn(
  app: INestApplicationContext,
  first: FirstSignIn,
  url: string,
  site: string,
): Promise<string> {
  const isKept = first.generatedPassword !== null && !process.stdout.isTTY;
  const zuliprc = app.get(FirstStartService).handOver(url, first);
  const notice = signInNotice(first, zuliprc, await signInLink(app, first, site), isKept);
  const file = app.get(FirstSignInFile);
  if (isKept) return file.write(notice, zuliprc);
  file.remove();
  return notice;
}

/** Only for a generated password; a chosen one needs no link. */
async function signInLink(app: INestApplicationContext, first: FirstSignIn, site: string): Promise<string> {
  const isMadeUp = first.generatedPassword !== null;
  return isMadeUp ? app.get(FirstSignInService).linkFor(first.ownerEmail, site) : `${site}/login/`;
}
