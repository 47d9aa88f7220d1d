import { Clock } from '../../platform/clock';

/**
 * The time of a test server: runs like that of the system until it is stopped, set or advanced. Intervals follow where
 * it goes forward, and never go back.
 */
export class MovableClock extends Clock {
  private readonly waiting: (() => Promise<void>)[] = [];
  private shownMs = Date.now();
  private intervalMs = performance.now();
  private since = performance.now();
  private stopped = false;

  override nowMs(): number {
    return Math.floor(this.shownMs + this.passed());
  }

  override monotonicMs(): number {
    return this.intervalMs + this.passed();
  }

  override onMoved(work: () => Promise<void>): void {
    this.waiting.push(work);
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  stop(): void {
    this.settle();
    this.stopped = true;
  }

  /** Lets it run on from where it is. */
  run(): void {
    this.settle();
    this.stopped = false;
  }

  /** @param ms UNIX milliseconds */
  set(ms: number): void {
    this.settle();
    this.intervalMs += Math.max(0, ms - this.shownMs);
    this.shownMs = ms;
  }

  advance(byMs: number): void {
    this.set(this.shownMs + this.passed() + byMs);
  }

  /** Back to the time of the system. */
  reset(): void {
    this.run();
    this.shownMs = Date.now();
  }

  /** Has everything done that waited for a time that has come. */
  async wakeWaiting(): Promise<void> {
    for (const work of this.waiting) await work();
  }

  private passed(): number {
    return this.stopped ? 0 : performance.now() - this.since;
  }

  private settle(): void {
    const passed = this.passed();
    this.since = performance.now();
    this.shownMs += passed;
    this.intervalMs += passed;
  }
}
