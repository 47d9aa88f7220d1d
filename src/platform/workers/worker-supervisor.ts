import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { SERVING, type WorkerMessage } from './worker-link';

/** A worker that ends sooner than this has failed to start. */
const SHORT_LIFE_MS = 10_000;

const LONGEST_PAUSE_MS = 30_000;

/** How much longer than the worker's own limit the supervisor waits for it to stop. */
const LATE_MS = 7_000;

/** What the supervisor needs to know about the server. */
export interface SupervisorOptions {
  readonly workers: number;
  /** Maximum time for a worker to stop. */
  readonly stopsWithinMs: number;
  /** Whether workers reload their certificate on SIGHUP; otherwise it ends the server. */
  readonly takesHangup: boolean;
  /** Whether the port is a systemd socket, which no new worker gets once all workers have ended. */
  readonly isPortHeld: boolean;
  /** Logs for the operator. */
  readonly log: (sentence: string) => void;
}

/**
 * Runs a server as several processes that listen on one port: starts them, replaces those that end, and stops them
 * together. The first one runs alone until it accepts clients, so that one-time work of a start is done once.
 */
export class WorkerSupervisor {
  private readonly stopping = new AbortController();
  private failures = 0;
  private isUnclean = false;

  constructor(private readonly options: SupervisorOptions) {}

  /** @returns the exit code of the server, once all of it has ended */
  async run(): Promise<number> {
    this.followSignals();
    cluster.on('message', (from, message: WorkerMessage) => relay(from, message));
    const first = cluster.fork();
    const code = await Promise.race([served(first), ended(first)]);
    // The worker reported the reason, or was stopped.
    if (first.isDead()) return code;
    const running = [first];
    while (!this.isStopping && running.length < this.options.workers) running.push(cluster.fork());
    await Promise.all(running.map((worker) => this.keep(worker)));
    return this.isUnclean ? 1 : 0;
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Resolves once a worker and all of its replacements have ended, which is when the server stops. */
  private async keep(first: Worker): Promise<void> {
    for (let worker = first; ; worker = cluster.fork()) {
      const since = performance.now();
      const code = await ended(worker);
      const { pid, signalCode } = worker.process;
      if (this.isStopping) {
        // A worker that is still starting is killed by the signal; it has served no one yet.
        this.isUnclean ||= code !== 0 && signalCode !== 'SIGTERM' && signalCode !== 'SIGINT';
        return;
      }
      if (this.options.isPortHeld && noneIsAlive()) {
        this.options.log('All workers have ended, and the socket was closed with them.');
        this.isUnclean = true;
        this.stopping.abort();
        return;
      }
      this.options.log(`Worker ${pid} ended (${signalCode ?? `code ${code}`}); another one is started.`);
      this.failures = performance.now() - since < SHORT_LIFE_MS ? this.failures + 1 : 0;
      if (this.failures > 0) await this.pauseAfterFailure();
      if (this.isStopping) return;
    }
  }

  /** Ends early when the server stops. */
  private async pauseAfterFailure(): Promise<void> {
    const ms = Math.min(500 * 2 ** this.failures, LONGEST_PAUSE_MS);
    await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private followSignals(): void {
    const tell = (signal: NodeJS.Signals) => {
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        this.stopping.abort();
        tell(signal);
        setTimeout(() => {
          this.isUnclean = true;
          tell('SIGKILL');
        }, this.options.stopsWithinMs + LATE_MS).unref();
      });
    }
    if (this.options.takesHangup) process.on('SIGHUP', () => tell('SIGHUP'));
  }
}

function noneIsAlive(): boolean {
  return Object.values(cluster.workers ?? {}).every((worker) => !worker || worker.isDead());
}

/** Messages between workers pass through here. */
function relay(from: Worker, message: WorkerMessage): void {
  if (message.topic === SERVING.topic) return;
  for (const worker of Object.values(cluster.workers ?? {})) {
    if (worker && worker !== from && worker.isConnected()) worker.send(message, () => undefined);
  }
}

async function served(worker: Worker): Promise<0> {
  for (;;) {
    const [{ topic }] = (await once(worker, 'message')) as [WorkerMessage];
    if (topic === SERVING.topic) return 0;
  }
}

/** @returns the exit code; 1 if a signal ended the worker */
async function ended(worker: Worker): Promise<number> {
  if (!worker.isDead()) await once(worker, 'exit');
  return worker.process.exitCode ?? 1;
}
