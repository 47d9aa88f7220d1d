import type { Transaction } from '../database/transaction.service';
import { defineHook } from '../hooks/hook';

/** The server runs with another secret than before, within the transaction that remembers it. */
export const secretChanged = defineHook<[tx: Transaction]>('secretChanged');
