import { defineHook } from '../hooks/hook';
import type { Transaction } from './transactions/unit-of-work';

/**
 * All rows were reset to an earlier moment in this transaction, as the test server does on a reset. Caches of rows, and
 * state without a row, must be cleared after the commit; directories and the event log handle this themselves.
 */
export const rowsPutBack = defineHook<[tx: Transaction]>('rowsPutBack');

/**
 * PostgreSQL lost commits, including the last events of the log: a replica without them took over, or an older copy was
 * restored. Caches of rows and of data sent to clients must be cleared; directories handle this themselves. Called on
 * each node that had read lost events, immediately and before anything is awaited.
 * @param upTo a number above all earlier events; all later events have higher ones
 */
export const commitsLost = defineHook<[upTo: number]>('commitsLost');

/** The same, in the transaction in which the node corrects its own rows. */
export const lostCommitsNoted = defineHook<[tx: Transaction, upTo: number]>('lostCommitsNoted');

/** Writes are about to be paused, perhaps until the server stops: store data that is only in memory. */
export const writesEnding = defineHook<[]>('writesEnding');
