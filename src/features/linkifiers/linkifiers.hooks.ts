import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook } from '../../platform/hooks/hook';

/**
 * A playground is being removed, within the transaction, before the event.
 * @param language the language of its code blocks
 */
export const playgroundRemoved = defineHook<[tx: Transaction, language: string]>('playgroundRemoved');
