import { Logger } from '@nestjs/common';
import { createApp } from './app.factory';
import { FirstStartService, OwnerZuliprc, signInNotice } from './features/organization';
import { isStartedByNpm, loadConfigWith } from './platform/config/config';
import { Database } from './platform/database/database.service';
import { renewTlsOnHangup } from './platform/http/tls';
import { stopOnSignals } from './platform/lifecycle/graceful-stop';
import { explainListenFailure, explainStartFailure } from './platform/config/start-refused';
import { OperatorSocket } from './platform/operator/operator-socket';
import { startUpNotice } from './start-up-notice';

/** Connections that may wait to be taken: after a start, all clients come back at once. The system may allow fewer. */
const BACKLOG = 4_096;

/**
 * Starts the server; it then runs until a signal stops it. Ends the process where it cannot start.
 * @param given variables in place of those of the environment
 */
export async function serve(given: Readonly<Record<string, string | undefined>> = {}): Promise<void> {
  await start(given).catch((error: unknown) => {
    process.stderr.write(explainStartFailure(error));
    process.exit(1);
  });
}

async function start(given: Readonly<Record<string, string | undefined>>): Promise<void> {
  // Everything the server writes is for its own user, whoever may read the folder it is in.
  process.umask(0o077);
  const config = loadConfigWith(given);
  const app = await createApp(config);
  stopOnSignals(app, config.shutdownTimeoutSeconds, isStartedByNpm());
  if (config.tlsCert !== null) renewTlsOnHangup(app.getHttpAdapter().getInstance(), config);
  await app.init();
  const firstStart = app.get(FirstStartService);
  const first = await firstStart.run();
  if (!first) app.get(OwnerZuliprc).renew();
  const { port, host } = config;
  await app
    .listen({ port, host, backlog: BACKLOG, listenTextResolver: (address) => `Opened ${address}.` })
    .catch((error: unknown) => {
      throw explainListenFailure(error, config);
    });
  const url = await app.getUrl();
  const signIn = first && signInNotice(first, firstStart.handOver(url, first));
  await app.get(OperatorSocket).open(config.siteAt(url));
  // Not before everything is there that whoever waits for this line is about to use: `zuliprc`, and the socket.
  new Logger('Start').log(`Server listening at ${url}`);
  process.stdout.write(startUpNotice(config, app.get(Database), url, signIn));
  if (first) await firstStart.finish();
}
