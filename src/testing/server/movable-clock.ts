import { Clock } from '../../platform/clock';

/**
 * The clock of a test server: runs like the system's until it is stopped, set or advanced. The monotonic clock follows
 * forward moves only.
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

  /** Continues from the current time. */
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

  /** Returns to the system's time. */
  reset(): void {
    this.run();
    this.shownMs = Date.now();
  }

  /** Runs all work that is now due. */
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
