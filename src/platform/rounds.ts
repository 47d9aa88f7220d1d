/**
 * Work that one run does for all who ask while an earlier run goes on. The run begins after each of them asked, so it
 * finds whatever was true by then.
 */
export class Rounds<T> {
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<T> | undefined;

  constructor(private readonly work: () => Promise<T>) {}

  /** Resolves or rejects as a run does that begins after this call. */
  join(): Promise<T> {
    // The run under way may have begun too early for the caller.
    this.next ??= this.current.then(() => {
      this.next = undefined;
      const run = this.work();
      this.current = run.catch(() => undefined);
      return run;
    });
    return this.next;
  }

  /** Resolves once the runs end that are asked for by now. */
  async ended(): Promise<void> {
    await (this.next?.catch(() => undefined) ?? this.current);
  }
}
