import { Logger } from '@nestjs/common';

/**
 * What this process is for. One that is there for a single command leaves alone what a server does by itself, such as
 * calling webhooks and deleting old messages: somebody may only want to look at a copy.
 */
export class ProcessPurpose {
  constructor(readonly isServer: boolean) {}
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

  /** @param atOnce whether the first run does not wait */
  start(everyMs: number, { atOnce = false }: { readonly atOnce?: boolean } = {}): void {
    const run = () => {
      this.running = this.running.then(this.work).catch((error: unknown) => this.logger.error(error));
    };
    if (atOnce) run();
    this.timer = setInterval(run, everyMs).unref();
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
