import { Logger } from '@nestjs/common';
import type { Clock } from '../clock';

/**
 * The purpose of this process. A process for a single command skips the background work of a server, such as webhook
 * calls and retention: it may be inspecting a copy.
 */
export class ProcessPurpose {
  constructor(readonly isServer: boolean) {}
}

/** When a {@link PeriodicTask} runs in addition to its interval. */
interface PeriodicTaskOptions {
  readonly atOnce?: boolean;
  readonly clock?: Clock;
}

/** Repeated background work of a server, one run after the other. */
export class PeriodicTask {
  private readonly logger: Logger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopping = false;

  /**
   * @param name for logged failures, after which the task continues
   * @param work checks {@link isStopping} if it takes long
   */
  constructor(
    name: string,
    private readonly work: () => Promise<void>,
  ) {
    this.logger = new Logger(name);
  }

  /**
   * @param atOnce whether the first run starts immediately
   * @param clock by which the work is due; when it is moved, the next run starts immediately
   */
  start(everyMs: number, { atOnce = false, clock }: PeriodicTaskOptions = {}): void {
    const run = () => {
      this.running = this.running.then(this.work).catch((error: unknown) => this.logger.error(error));
      return this.running;
    };
    if (atOnce) void run();
    clock?.onMoved(async () => (this.stopping ? undefined : run()));
    this.timer = setInterval(() => void run(), everyMs).unref();
  }

  /** Resolves once no run is in progress. Call it before the connections close. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Whether a run should end early: the rest is done after the next start. */
  get isStopping(): boolean {
    return this.stopping;
  }
}
