/**
 * The ID of an event as clients see it: the number of its row in the log times 1,024, plus an offset. The
 * lower half of the offsets belongs to the row, which some clients get as several events; in the upper half are
 * events that no row holds, such as heartbeats. So IDs of a queue rise strictly, whatever is stored.
 */
const IDS_PER_NUMBER = 1_024;
const FIRST_TRANSIENT = IDS_PER_NUMBER / 2;

/** From here on it is time for the log to move on, so that there are IDs left until it does. */
const NEARLY_USED_UP = IDS_PER_NUMBER - 128;

/** What a client sends that has seen no event of its queue yet. */
export const BEFORE_FIRST_EVENT = -1;

/** @param part which event of the row, from 0 */
export function rowEventId(number: number, part: number): number {
  if (part >= FIRST_TRANSIENT) throw new RangeError('A row makes at most 512 events.');
  return number * IDS_PER_NUMBER + part;
}

/** The number of the log that an ID belongs to. */
export function numberOf(id: number): number {
  return Math.floor(id / IDS_PER_NUMBER);
}

/** Whether the ID is one of an event that no row holds. */
export function isTransient(id: number): boolean {
  return id - numberOf(id) * IDS_PER_NUMBER >= FIRST_TRANSIENT;
}

/**
 * The ID for the next event that no row holds.
 * @param position how far the log was read
 * @param highestId that the queue has given out so far
 * @returns undefined when none is left until the log grows
 */
export function nextTransientId(position: number, highestId: number): number | undefined {
  const first = position * IDS_PER_NUMBER + FIRST_TRANSIENT;
  const id = Math.max(first, highestId + 1);
  return numberOf(id) === position ? id : undefined;
}

/** Whether few IDs are left before the log has to grow. */
export function isNearlyUsedUp(id: number): boolean {
  return id - numberOf(id) * IDS_PER_NUMBER >= NEARLY_USED_UP;
}
