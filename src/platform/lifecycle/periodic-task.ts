import { Logger } from '@nestjs/common';
import type { Clock } from '../clock';

/**
 * The purpose of this process. A process for a single command skips the background work of a server, such as webhook
 * calls and retention: it may be inspecting a copy.
 */
export class ProcessPurpose {
  constructor(readonly isServer: boolean) {}
}

/** When a {@link PeriodicTask} runs beside its interval. */
interface PeriodicTaskOptions {
  readonly atOnce?: boolean;
  readonly clock?: Clock;
}

/** Work that a server does again and again beside its requests, one run after the other. */
export class PeriodicTask {
  private readonly logger: Logger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopping = false;

  /**
   * @param name under which failures are logged; the next run takes place nevertheless
   * @param work looks at {@link isStopping} where it takes long
   */
  constructor(
    name: string,
    private readonly work: () => Promise<void>,
  ) {
    this.logger = new Logger(name);
  }

  /**
   * @param atOnce whether the first run does not wait
   * @param clock by which the work decides what is due; where it is moved, the next run does not wait either
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

  /** Resolves once nothing runs any more. To be called before the connections close. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Whether what runs should end early: whatever it leaves is done after the next start. */
  get isStopping(): boolean {
    return this.stopping;
  }
}
