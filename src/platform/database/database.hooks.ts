import { defineHook } from '../hooks/hook';
import type { Transaction } from './transaction.service';

/**
 * All rows were put back to what they were at another moment, in this transaction: a server that tests reset does so.
 * Whoever keeps in memory what rows said then, or what never was a row, forgets it after the commit; directories and the
 * event log need no telling.
 */
export const rowsPutBack = defineHook<[tx: Transaction]>('rowsPutBack');

/**
 * PostgreSQL lost commits, the last events of the log among them: a replica took over that had not received them, or an
 * older copy was put in its place. Whoever keeps in memory what clients were told or what rows said forgets it; directories
 * need no telling. Called on each node that had read what was lost, at once and before anything is awaited.
 * @param upTo no event before this had a higher number, and each from now on has one
 */
export const commitsLost = defineHook<[upTo: number]>('commitsLost');

/** The same, in the transaction in which the node sees to what the rows still say of it. */
export const lostCommitsNoted = defineHook<[tx: Transaction, upTo: number]>('lostCommitsNoted');

/** Writes are about to be paused, perhaps until the server stops: whoever keeps in memory what is to be stored stores it. */
export const writesEnding = defineHook<[]>('writesEnding');
