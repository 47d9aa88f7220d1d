import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook } from '../../platform/hooks/hook';

/**
 * Asks whether a channel, whose row is locked, has topics with a name. One answer that it has counts.
 */
export const namedTopicsSought = defineHook<[tx: Transaction, channelId: number], boolean>(
  'namedTopicsSought',
);
