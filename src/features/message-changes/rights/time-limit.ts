/** What is given on top of every limit, for requests that were on their way. Seconds. */
const BUFFER = 20;

/** The earliest time at which a message may have been sent to be changed now; null where there is no limit. */
export function earliestSentAt(now: number, limit: number | null): number | null {
  return limit === null ? null : now - limit - BUFFER;
}
