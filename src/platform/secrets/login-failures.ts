import { Injectable } from '@nestjs/common';

/** Remembers failed logins, by what they are counted under. */
export abstract class LoginFailures {
  /** Times of the failures after a time, in milliseconds, oldest first. */
  abstract since(key: string, afterMs: number): Promise<readonly number[]>;

  /** @param keptMs how long it matters */
  abstract add(key: string, atMs: number, keptMs: number): Promise<void>;

  /**
   * Runs one piece of work at a time for each key.
   * @throws whatever the work throws
   */
  abstract inTurn<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Beyond it, those who failed least recently are forgotten. */
const MOST_KEYS = 100_000;

/** Remembers in the memory of this process. */
@Injectable()
export class LoginFailuresInMemory extends LoginFailures {
  /** The key that failed least recently comes first. */
  private readonly failures = new Map<string, readonly number[]>();
  private readonly turns = new Map<string, Promise<unknown>>();

  since(key: string, afterMs: number): Promise<readonly number[]> {
    return Promise.resolve((this.failures.get(key) ?? []).filter((time) => time > afterMs));
  }

  async add(key: string, atMs: number, keptMs: number): Promise<void> {
    const recent = await this.since(key, atMs - keptMs);
    this.failures.delete(key);
    this.failures.set(key, [...recent, atMs]);
    for (const oldest of this.failures.keys()) {
      if (this.failures.size <= MOST_KEYS) return;
      this.failures.delete(oldest);
    }
  }

  async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.turns.get(key) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    this.turns.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.turns.get(key) === settled) this.turns.delete(key);
    }
  }
}
