/** Counting semaphore with a first-in, first-out queue. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  /** Number of queued callers. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((admit) => this.waiting.push(admit));
    try {
      return await work();
    } finally {
      // The next caller in the queue takes over the place.
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
