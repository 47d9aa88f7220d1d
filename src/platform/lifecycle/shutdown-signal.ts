import { Injectable } from '@nestjs/common';

/**
 * Tells that the server is about to stop, before connections and database close. Whoever keeps a request
 * waiting subscribes and answers it at once.
 */
@Injectable()
export class ShutdownSignal {
  private readonly listeners = new Set<() => void>();
  private stopping = false;

  get isStopping(): boolean {
    return this.stopping;
  }

  /**
   * Calls the listener once, at once if the server is stopping already.
   * @returns takes the subscription back
   */
  onStop(listener: () => void): () => void {
    if (this.stopping) listener();
    else this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Does nothing when called again. */
  begin(): void {
    this.stopping = true;
    for (const listener of this.listeners) {
      this.listeners.delete(listener);
      listener();
    }
  }
}
