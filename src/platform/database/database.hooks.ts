import { defineHook } from '../hooks/hook';
import type { Transaction } from './transactions/unit-of-work';

/**
 * All rows were reset to an earlier moment, in this transaction, as the test server does on a reset. Caches of rows,
 * and state that was never a row, must be cleared after the commit; directories and the event log take care of
 * themselves.
 */
export const rowsPutBack = defineHook<[tx: Transaction]>('rowsPutBack');

/**
 * PostgreSQL lost commits, including the last events of the log: a replica without them took over, or an older copy was
 * restored. Caches of rows and of what clients were sent must be cleared; directories take care of themselves. Called
 * on each node that had read lost events, at once and before anything is awaited.
 * @param upTo no event before this had a higher number, and each from now on has one
 */
export const commitsLost = defineHook<[upTo: number]>('commitsLost');

/** The same, in the transaction in which the node sees to what the rows still say of it. */
export const lostCommitsNoted = defineHook<[tx: Transaction, upTo: number]>('lostCommitsNoted');

/** Writes are about to be paused, perhaps until the server stops: store what is kept in memory. */
export const writesEnding = defineHook<[]>('writesEnding');
