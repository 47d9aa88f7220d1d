import type { Transaction } from '../../../platform/database/transaction.service';

/** Tells these locks from other advisory ones; the second number is the ID of the channel. */
const CHANNEL_LOCK = 7_275_274;

/**
 * `shared` for senders: subscribers and settings of the channel stay unchanged until the transaction ends. `alone` for
 * changes that senders rely on: no message to the channel is in progress.
 */
export type ChannelLock = 'shared' | 'alone';

/**
 * Locks channels until the transaction ends, in the order of their IDs and of the requests. PostgreSQL's row locks let
 * shared holders overtake a waiting exclusive one, so no one could ever join a busy channel; its advisory locks queue.
 * SQLite writes one transaction at a time anyway.
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
