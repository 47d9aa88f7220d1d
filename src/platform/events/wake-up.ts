import { Injectable } from '@nestjs/common';

/** Told the highest log number of a commit. Must not throw. */
export type CommitListener = (lastNumber: number) => void;

/**
 * Says that the event log grew. It is a hint that makes readers fast, not a delivery: it may come twice,
 * late, out of order or, between nodes, not at all, so readers look for themselves from time to time.
 */
export abstract class WakeUp {
  /** To be called after the commit, never before. */
  abstract announce(lastNumber: number): void;

  /** @returns a function that ends the subscription */
  abstract onCommitted(listener: CommitListener): () => void;
}

/** Wakes the readers in this process. */
@Injectable()
export class InProcessWakeUp extends WakeUp {
  private readonly listeners = new Set<CommitListener>();

  announce(lastNumber: number): void {
    for (const listener of this.listeners) listener(lastNumber);
  }

  onCommitted(listener: CommitListener): () => void {
    const own: CommitListener = (lastNumber) => listener(lastNumber);
    this.listeners.add(own);
    return () => this.listeners.delete(own);
  }
}
