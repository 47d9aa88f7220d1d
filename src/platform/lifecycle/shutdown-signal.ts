import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/**
 * Tells that the server is about to stop, while everything still works: connections close after this, and
 * the database last. Whoever keeps a request waiting subscribes and answers it at once.
 */
@Injectable()
export class ShutdownSignal implements OnModuleDestroy {
  private readonly listeners = new Set<() => void>();
  private stopping = false;

  get isStopping(): boolean {
    return this.stopping;
  }

  /**
   * Calls the listener once, right now if the server is stopping already.
   * @returns takes the subscription back
   */
  onStop(listener: () => void): () => void {
    if (this.stopping) listener();
    else this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Called by the framework when the application closes. */
  onModuleDestroy(): void {
    this.stopping = true;
    for (const listener of this.listeners) {
      this.listeners.delete(listener);
      listener();
    }
  }
}
