import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';

/**
 * On PostgreSQL a message gets its ID before it becomes visible, so a lower ID may appear after a higher one. A
 * sender takes this lock, shared with others, from before the message's ID to the commit; a transaction that has it
 * alone knows that no message is under way. SQLite has one writer and needs none of it.
 */
const MESSAGE_LOCK = 7_275_273;

/** The ID of a new message on PostgreSQL, as an expression that takes the lock first. */
export const NEXT_MESSAGE_ID = `CASE WHEN pg_advisory_xact_lock_shared(${MESSAGE_LOCK}) IS NOT NULL
  THEN nextval('message_id_seq') END`;

/**
 * The newest message there is, while no other becomes visible before the transaction commits. Waits for messages
 * that are being sent, and delays those that come, so call it first in a short transaction.
 */
export async function newestWithNoneUnderWay(tx: Transaction): Promise<number> {
  if (tx.engine === 'postgres') await tx.query(`SELECT pg_advisory_xact_lock(${MESSAGE_LOCK})`);
  return newestMessageId(tx);
}

/** The newest message that is visible; 0 when there is none. */
export async function newestMessageId(db: Queryable): Promise<number> {
  const [row] = await db.query<{ id: number | null }>('SELECT MAX(id) AS id FROM message');
  return row?.id ?? 0;
}
