import type { Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';

/**
 * Announces that the server is about to stop, while everything still works: connections close after this, and the
 * database last. Handlers that keep requests waiting subscribe and answer immediately.
 */
@Injectable()
export class ShutdownSignal implements OnModuleDestroy {
  private readonly listeners = new Set<() => void>();
  private announced = false;
  private draining = false;
  private stopping = false;

  /** Whether the server will stop soon. Until {@link isStopping}, it serves as before. */
  get isAnnounced(): boolean {
    return this.announced || this.stopping;
  }

  /** Makes load balancers send requests elsewhere from now on. */
  announce(): void {
    this.announced = true;
  }

  /** Closes each connection with its next answer; requests are still served. */
  drain(): void {
    this.draining = true;
  }

  get isDraining(): boolean {
    return this.draining || this.stopping;
  }

  get isStopping(): boolean {
    return this.stopping;
  }

  /**
   * Calls the listener once, immediately if the server is already stopping.
   * @returns an unsubscribe function
   */
  onStop(listener: () => void): () => void {
    if (this.stopping) listener();
    else this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Called by the framework when the application closes. */
  onModuleDestroy(): void {
    this.stopping = true;
    for (const listener of this.listeners) {
      this.listeners.delete(listener);
      listener();
    }
  }
}

/**
 * While the server stops, a connection closes after its pending answer. Otherwise clients with idle keep-alive
 * connections would delay the stop.
 */
export function closeConnectionsWhileStopping(server: FastifyInstance, shutdown: ShutdownSignal): void {
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (shutdown.isDraining) reply.header('connection', 'close');
    done();
  });
}

/** Time for recently accepted connections to send a request. */
const DRAIN_MS = 300;

/**
 * Accepts no more connections, and serves the existing ones; the next process accepts the others. Only for a port that
 * outlives this process: otherwise they would be refused.
 */
async function stopAccepting(app: NestFastifyApplication): Promise<void> {
  app.get(ShutdownSignal).drain();
  // The `close` method of HTTP servers would also close idle connections.
  Listener.prototype.close.call(app.getHttpServer());
  await pause(DRAIN_MS);
}

/** Time for closing the database after the last request. */
const CLOSING_SECONDS = 5;
/** One press of Ctrl-C arrives twice under npm: from the terminal, and forwarded by npm. */
const SAME_SIGNAL_MS = 500;

/**
 * Stops the server: waiting polls are answered, requests in flight finish, connections close, then the database.
 * Requests that take longer than `timeoutSeconds` are aborted.
 * @returns whether nothing had to be aborted
 */
export async function stopGracefully(app: NestFastifyApplication, timeoutSeconds: number): Promise<boolean> {
  const server: Server = app.getHttpServer();
  let isClean = true;
  const cutOff = setTimeout(() => {
    isClean = false;
    new Logger('Stop').warn(`Requests that were not done within ${timeoutSeconds} seconds are cut off.`);
    server.closeAllConnections();
  }, timeoutSeconds * 1000);
  try {
    await app.close();
  } finally {
    clearTimeout(cutOff);
  }
  return isClean;
}

/** Duration of a stop, in seconds. */
export interface StopTimes {
  /** During this time, everything is still served while the readiness check reports that the server stops. */
  readonly delay: number;
  /** After that, requests in flight get this time. */
  readonly timeout: number;
  /** Whether the port outlives this process. */
  readonly isPortHeld: boolean;
}

/**
 * Stops the process gracefully on SIGTERM and SIGINT, with exit code 0, or 1 if requests had to be aborted. Another
 * signal, a moment later, ends it immediately.
 * @param isUnderNpm whether npm started the process; then the end of npm's shell counts as SIGTERM
 * @returns whether the process is about to end
 */
export function stopOnSignals(
  app: NestFastifyApplication,
  times: StopTimes,
  isUnderNpm: boolean,
): () => boolean {
  let stoppingSince: number | null = null;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    new Logger('Stop').log(`Stopping on ${signal}.`);
    setTimeout(() => process.exit(1), (times.delay + times.timeout + CLOSING_SECONDS) * 1000).unref();
    app.get(ShutdownSignal).announce();
    if (times.delay > 0) await pause(times.delay * 1000);
    if (times.isPortHeld) await stopAccepting(app);
    const isClean = await stopGracefully(app, times.timeout).catch((error: unknown) => {
      new Logger('Stop').error(error);
      return false;
    });
    process.exit(isClean ? 0 : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
  whenNpmShellEnds(isUnderNpm, () => {
    if (stoppingSince === null) void stop('SIGTERM');
  });
  return () => stoppingSince !== null;
}

const EVERY_MS = 500;

/**
 * Under `npx` and `npm start` there is a shell between npm and this process. It exits on npm's signals without
 * forwarding them, so its exit is the signal. Otherwise a process may outlive its parent.
 * @param isUnderNpm whether npm started this process
 * @param onEnd called once, when the shell has ended
 */
export function whenNpmShellEnds(isUnderNpm: boolean, onEnd: () => void): void {
  if (!isUnderNpm) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    onEnd();
  }, EVERY_MS).unref();
}
