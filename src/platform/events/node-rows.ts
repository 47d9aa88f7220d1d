import type { ServerEvent } from './server-event';

/**
 * Types of log rows by which nodes tell each other something, in the order of all that happened. Nobody is
 * their audience, so no client gets one.
 */
export const NodeRow = {
  /** Directories changed; the name is from a time when they were called snapshots. */
  directories: 'snapshot',
  /** A client queue was deleted. */
  queueRemoved: 'queue_removed',
  /** Nothing happened; the number of the log had to rise. */
  nextNumber: 'next_number',
} as const;

const types: ReadonlySet<string> = new Set(Object.values(NodeRow));

/** Whether a row of the log is for the nodes alone and never reaches a client. */
export function isNodeRow({ type }: Pick<ServerEvent, 'type'>): boolean {
  return types.has(type);
}
