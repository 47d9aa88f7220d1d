import { setImmediate as nextTurn } from 'node:timers/promises';
import { CommitFailed, ServerBusy } from '../database.errors';
import type { WriteLimits } from '../database.options';
import type { WriteLoad } from './transaction';

/** The statements around the work. All synchronous, as the drivers of SQLite are. */
export interface CommitScope {
  /** False once an error made SQLite roll everything back by itself. */
  isOpen(): boolean;
  begin(): void;
  commit(): void;
  rollback(): void;
  enterSavepoint(): void;
  leaveSavepoint(): void;
  undoSavepoint(): void;
}

/** A piece of work in the queue; `Result` is what its share of the commit comes to. */
export interface QueuedWrite<Result> {
  readonly isExclusive: boolean;
  perform(): Promise<Result>;
}

interface Waiting<Result> {
  readonly write: QueuedWrite<Result>;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome<Result> =
  | { readonly entry: Waiting<Result>; readonly result: Result }
  | { readonly entry: Waiting<Result>; readonly error: unknown };

/**
 * The queue in front of the only connection that writes to a SQLite file. Writes that wait share a commit,
 * each in a savepoint of its own, so that many of them cost one wait for the disk. Everybody is answered
 * after the commit, refusals too: they may rest on what a neighbour wrote.
 */
export class WriteQueue<Result> {
  private readonly waiting: Waiting<Result>[] = [];
  private inCommit: Waiting<Result>[] = [];
  private running: Promise<void> | undefined;
  private isClosed = false;

  /** @param afterCommit runs before anybody is answered and before the next write starts; must not throw */
  constructor(
    private readonly scope: CommitScope,
    private readonly limits: WriteLimits,
    private readonly afterCommit: (results: Result[]) => Promise<void>,
  ) {}

  get load(): WriteLoad {
    const [oldest = this.waiting[0]] = this.inCommit;
    return {
      waiting: this.inCommit.length + this.waiting.length,
      longestWaitMs: oldest ? performance.now() - oldest.since : 0,
    };
  }

  submit(write: QueuedWrite<Result>): Promise<Result> {
    if (this.isClosed || this.waiting.length >= this.limits.maxWaiting)
      return Promise.reject(new ServerBusy());
    return new Promise((resolve, reject) => {
      this.waiting.push({ write, since: performance.now(), resolve, reject });
      this.running ??= this.workOff();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.running;
  }

  private async workOff(): Promise<void> {
    while (this.waiting.length > 0) {
      // The drivers never let go of the event loop, so without this pause no second write would ever wait.
      await nextTurn();
      await this.commitNext();
    }
    this.running = undefined;
  }

  private async commitNext(): Promise<void> {
    const outcomes = this.begin() ? await this.performWaiting() : [];
    const stored = this.commit(outcomes);
    const results = stored.flatMap((outcome) => ('result' in outcome ? [outcome.result] : []));
    if (results.length > 0) await this.afterCommit(results);
    this.inCommit = [];
    for (const outcome of stored) {
      if ('result' in outcome) outcome.entry.resolve(outcome.result);
      else outcome.entry.reject(outcome.error);
    }
  }

  /** When there is no transaction to be had, the write at the head hears of it; the next one tries anew. */
  private begin(): boolean {
    try {
      this.scope.begin();
      return true;
    } catch (error) {
      this.waiting.shift()?.reject(new CommitFailed(error));
      return false;
    }
  }

  private async performWaiting(): Promise<Outcome<Result>[]> {
    const outcomes: Outcome<Result>[] = [];
    const endsAt = performance.now() + this.limits.maxCommitMs;
    do {
      const entry = this.waiting.shift() as Waiting<Result>;
      this.inCommit.push(entry);
      outcomes.push(await this.perform(entry));
      if (entry.write.isExclusive) break;
    } while (this.mayJoin(outcomes.length) && performance.now() < endsAt);
    return outcomes;
  }

  private mayJoin(count: number): boolean {
    const [next] = this.waiting;
    return (
      next !== undefined &&
      !next.write.isExclusive &&
      count < this.limits.maxWritesPerCommit &&
      this.scope.isOpen()
    );
  }

  private async perform(entry: Waiting<Result>): Promise<Outcome<Result>> {
    try {
      this.scope.enterSavepoint();
      const result = await entry.write.perform();
      this.scope.leaveSavepoint();
      return { entry, result };
    } catch (error) {
      this.undo();
      return { entry, error };
    }
  }

  private undo(): void {
    if (!this.scope.isOpen()) return;
    try {
      this.scope.undoSavepoint();
    } catch {
      // What the write did can no longer be told apart from what the others did.
      this.rollback();
    }
  }

  /** @returns the outcomes, every success turned into a failure when the commit did not happen */
  private commit(outcomes: Outcome<Result>[]): Outcome<Result>[] {
    const last = outcomes.at(-1);
    if (last === undefined) return [];
    if (!this.scope.isOpen())
      return outcomes.map((outcome) => lost(outcome, 'error' in last ? last.error : undefined));
    try {
      this.scope.commit();
      return outcomes;
    } catch (error) {
      this.rollback();
      return outcomes.map((outcome) => lost(outcome, error));
    }
  }

  private rollback(): void {
    if (this.scope.isOpen()) this.scope.rollback();
  }
}

function lost<Result>(outcome: Outcome<Result>, cause: unknown): Outcome<Result> {
  return 'result' in outcome ? { entry: outcome.entry, error: new CommitFailed(cause) } : outcome;
}
