import type { Transaction } from '../../../platform/database/transaction.service';

/** @returns the ID of the newest message of a topic; 0 where it has none */
export async function newestIn(tx: Transaction, topicId: number): Promise<number> {
  const sql = 'SELECT COALESCE(MAX(id), 0) AS id FROM message WHERE topic_id = ?';
  return (await tx.queryOne<{ id: number }>(sql, [topicId])).id;
}
