import { Injectable } from '@nestjs/common';

/** The only source of the current time, so that tests can move it. */
@Injectable()
export class Clock {
  nowMs(): number {
    return Date.now();
  }

  /** Whole UNIX seconds, UTC. */
  nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }
}
