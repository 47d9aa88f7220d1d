import { Clock } from '../../src/platform/clock';

/** Runs like the real clock, and can be moved. */
export class OffsetClock extends Clock {
  /** Offset from the real time. */
  aheadMs = 0;
  /** How far the time of day was set back. */
  putBackMs = 0;

  override nowMs(): number {
    return super.nowMs() + this.aheadMs - this.putBackMs;
  }

  override monotonicMs(): number {
    return super.monotonicMs() + this.aheadMs;
  }
}

/** Stopped until moved, both the time of day and the monotonic clock. */
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
 * Starts at the real time of day and is stopped until moved, while the monotonic clock runs: work due at a time of day
 * waits for the test, and short waits do not.
 */
export class StoppedTimeOfDay extends Clock {
  aheadMs = 0;
  private readonly startMs = Date.now();

  override nowMs(): number {
    return this.startMs + this.aheadMs;
  }
}
