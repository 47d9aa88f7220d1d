import { Clock } from '../../src/platform/clock';

/** A clock that stands still until it is told to move. */
export class StoppedClock extends Clock {
  now = 1_700_000_000_000;

  override nowMs(): number {
    return this.now;
  }

  override monotonicMs(): number {
    return this.now;
  }
}
