import { Clock } from '../../src/platform/clock';

/** Starts at the real time, and moves only when it is told to. What measures intervals goes on with real time. */
export class MovingClock extends Clock {
  aheadMs = 0;
  private readonly startMs = Date.now();

  override nowMs(): number {
    return this.startMs + this.aheadMs;
  }
}
