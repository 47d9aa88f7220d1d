import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook } from '../../platform/hooks/hook';

/**
 * A playground is being removed, within the transaction, before clients are told.
 * @param language the language of code blocks for which it was offered
 */
export const playgroundRemoved = defineHook<[tx: Transaction, language: string]>('playgroundRemoved');
