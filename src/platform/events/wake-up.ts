import { Injectable } from '@nestjs/common';
import type { RedisLink } from '../redis/redis-link';
import type { WorkerLink } from '../workers/worker-link';

/** Told the highest log number of a commit. Must not throw. */
export type LogListener = (lastNumber: number) => void;

/**
 * Says that the event log grew. It is a hint that makes readers fast, not a delivery: it may come twice,
 * late, out of order or, between nodes, not at all, so readers look for themselves from time to time.
 */
export abstract class WakeUp {
  /** To be called after the commit, never before. */
  abstract announce(lastNumber: number): void;

  /** @returns a function that ends the subscription */
  abstract onLogGrown(listener: LogListener): () => void;
}

/** Wakes the readers in this process. */
@Injectable()
export class InProcessWakeUp extends WakeUp {
  private readonly listeners = new Set<LogListener>();

  announce(lastNumber: number): void {
    for (const listener of this.listeners) listener(lastNumber);
  }

  onLogGrown(listener: LogListener): () => void {
    const own: LogListener = (lastNumber) => listener(lastNumber);
    this.listeners.add(own);
    return () => this.listeners.delete(own);
  }
}

const TOPIC = 'wake-up';

/** Wakes the readers in this process at once, and those of other nodes over Redis. */
export class NodeWakeUp extends InProcessWakeUp {
  private highest = 0;
  private isDue = false;

  constructor(private readonly link: RedisLink | WorkerLink) {
    super();
    link.listen(TOPIC, (text) => {
      const number = Number(text);
      if (Number.isSafeInteger(number)) super.announce(number);
    });
  }

  override announce(lastNumber: number): void {
    super.announce(lastNumber);
    this.highest = Math.max(this.highest, lastNumber);
    if (this.isDue) return;
    this.isDue = true;
    // Of commits at about the same time, the last one speaks for all.
    setImmediate(() => {
      this.isDue = false;
      this.link.publish(TOPIC, String(this.highest));
    });
  }
}
