import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { UserStatus } from './user-status.entity';
import { EMPTY_STATUS, type StatusContent } from './user-status.api';

/** The status of one person. */
export async function statusOf(db: Queryable, userId: number): Promise<StatusContent> {
  const row = await db.repository(UserStatus).findOneBy({ userId });
  return row ? toContent(row) : EMPTY_STATUS;
}

/** Statuses by user ID, without empty ones; of everybody unless IDs are given. */
export async function statusesOf(
  db: Queryable,
  userIds?: readonly number[],
): Promise<Map<number, StatusContent>> {
  const rows = userIds
    ? await entityRows(db, UserStatus, 'WHERE user_id IN (?)', [userIds])
    : await entityRows(db, UserStatus);
  return new Map(rows.map((row) => [row.userId, toContent(row)]));
}

/** Without a text and an emoji there is no row. */
export async function storeStatus(tx: Transaction, userId: number, status: StatusContent): Promise<void> {
  const rows = tx.repository(UserStatus);
  if (status.text === '' && status.emojiName === '') await rows.delete({ userId });
  else await rows.save({ userId, ...status });
}

function toContent({ text, emojiName, emojiCode, emojiType }: UserStatus): StatusContent {
  return { text, emojiName, emojiCode, emojiType };
}
