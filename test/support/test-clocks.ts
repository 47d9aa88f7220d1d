import { Clock } from '../../src/platform/clock';

/** Runs like the real one, and can be moved. */
export class OffsetClock extends Clock {
  /** How much time has passed beside the real one. */
  aheadMs = 0;
  /** How far the time of day was put back meanwhile. */
  putBackMs = 0;

  override nowMs(): number {
    return super.nowMs() + this.aheadMs - this.putBackMs;
  }

  override monotonicMs(): number {
    return super.monotonicMs() + this.aheadMs;
  }
}

/** Stands still until it is moved: the time of day and what measures intervals alike. */
export class StoppedClock extends Clock {
  now = 1_700_000_000_000;

  override nowMs(): number {
    return this.now;
  }

  override monotonicMs(): number {
    return this.now;
  }
}

/**
 * Begins at the real time of day and stands still until it is moved, while what measures intervals goes on: what is due
 * at a time of day waits for the test, and what waits for a moment does not.
 */
export class StoppedTimeOfDay extends Clock {
  aheadMs = 0;
  private readonly startMs = Date.now();

  override nowMs(): number {
    return this.startMs + this.aheadMs;
  }
}
