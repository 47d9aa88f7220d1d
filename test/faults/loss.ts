import type { Done } from './load';

/** Since when PostgreSQL may have lost what it committed, and until when, by `performance.now()` of the clients. */
export interface Loss {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Whether it may be lost though it was acknowledged: that was since, and it was asked for before. */
export function mayBeLost({ sentMs, atMs }: Done, loss: Loss | undefined): boolean {
  return loss !== undefined && atMs >= loss.sinceMs && sentMs <= loss.untilMs;
}
