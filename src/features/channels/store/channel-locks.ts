import type { Transaction } from '../../../platform/database/transaction.service';

/** Tells these locks from other advisory ones; the second number is the ID of the channel. */
const CHANNEL_LOCK = 7_275_274;

/**
 * Shared, for those who write messages: subscribers and settings of the channel stay as they are until the transaction
 * ends. Alone, for those who change what senders rely on: no message is on its way to the channel, and none begins.
 */
export type ChannelLock = 'shared' | 'alone';

/**
 * Locks channels until the transaction ends, in the order of their IDs. Everybody gets a turn in the order of asking:
 * PostgreSQL lets those who share the lock of a row pass whoever waits to have it alone, so that in a busy channel nobody
 * could ever join; its advisory locks have a queue. SQLite writes one thing at a time anyway.
 */
export async function lockChannels(
  tx: Transaction,
  channelIds: readonly number[],
  lock: ChannelLock,
): Promise<void> {
  if (tx.engine === 'sqlite' || channelIds.length === 0) return;
  const take = lock === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await tx.query(
    `SELECT ${take}(${CHANNEL_LOCK}, id) FROM (SELECT id FROM channel WHERE id IN (?) ORDER BY id) AS locked`,
    [channelIds],
  );
}
