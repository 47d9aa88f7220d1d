/**
 * Coalesces concurrent calls: all callers that arrive during a run share the next one. A run always starts after the
 * calls that it serves, so it sees everything that was true at the time of the call.
 */
export class Rounds<T> {
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<T> | undefined;

  constructor(private readonly work: () => Promise<T>) {}

  /** Resolves or rejects with the next run that starts after this call. */
  join(): Promise<T> {
    // The current run may have started too early for this caller.
    this.next ??= this.current.then(() => {
      this.next = undefined;
      const run = this.work();
      this.current = run.catch(() => undefined);
      return run;
    });
    return this.next;
  }

  /** Resolves once all runs requested so far have ended. */
  async ended(): Promise<void> {
    await (this.next?.catch(() => undefined) ?? this.current);
  }
}
