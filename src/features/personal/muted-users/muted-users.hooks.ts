import type { Transaction } from '../../../platform/database/transaction.service';
import { defineHook } from '../../../platform/hooks/hook';

/** A person mutes another account, within the transaction. */
export const userMuted = defineHook<[tx: Transaction, userId: number, mutedUserId: number]>('userMuted');
