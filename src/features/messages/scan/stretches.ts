import type { IdRange } from '../store/message-rows.service';

/** The first stretch that is looked through, unless more is wanted; those after it grow. */
export const FIRST_STRETCH = 16;
/** How much wider the next stretch is, where one held little. */
export const STRETCH_GROWTH = 8;
/** Others have their turn after a statement, and no statement takes much longer for more messages. */
export const WIDEST_STRETCH = 250_000;

/** Up to this width, testing every message of a stretch costs less than preparing a search for candidates. */
export const TESTED_ONE_BY_ONE = 256;

/** How wide stretches are. */
export interface Widths {
  readonly first: number;
  readonly most: number;
}

/**
 * Cuts a range into stretches that grow away from where the scan begins: a person who gets much is served
 * from the first one, and one who gets little soon has seen everything.
 */
export function* stretches(
  { low, high }: IdRange,
  direction: 'older' | 'newer',
  { first, most }: Widths,
): Generator<IdRange> {
  let width = Math.min(first, most);
  let [from, to] = [low, high];
  while (from <= to) {
    if (direction === 'older') {
      const start = Math.max(from, to - width + 1);
      yield { low: start, high: to };
      to = start - 1;
    } else {
      const end = Math.min(to, from + width - 1);
      yield { low: from, high: end };
      from = end + 1;
    }
    width = Math.min(width * STRETCH_GROWTH, most);
  }
}
