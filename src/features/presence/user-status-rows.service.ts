import { Injectable } from '@nestjs/common';
import { entityRows } from '../../platform/database/entity-rows';
import type { Queryable } from '../../platform/database/queryable';
import type { Transaction } from '../../platform/database/transaction.service';
import { UserStatus } from './user-status.entity';
import { EMPTY_STATUS, type StatusContent } from './user-status.wire';

/** Reads and writes what people say of themselves. */
@Injectable()
export class UserStatusRowsService {
  async of(db: Queryable, userId: number): Promise<StatusContent> {
    const [row] = await entityRows(db, UserStatus, 'WHERE user_id = ?', [userId]);
    return row ? toContent(row) : EMPTY_STATUS;
  }

  /** By user ID, without those who say nothing. */
  async all(db: Queryable): Promise<Map<number, StatusContent>> {
    const rows = await entityRows(db, UserStatus);
    return new Map(rows.map((row) => [row.userId, toContent(row)]));
  }

  /** Of some people, by user ID. */
  async among(db: Queryable, userIds: readonly number[]): Promise<Map<number, StatusContent>> {
    const rows = await entityRows(db, UserStatus, 'WHERE user_id IN (?)', [userIds]);
    return new Map(rows.map((row) => [row.userId, toContent(row)]));
  }

  async store(tx: Transaction, userId: number, status: StatusContent): Promise<void> {
    await tx.query('DELETE FROM user_status WHERE user_id = ?', [userId]);
    const { text, emojiName, emojiCode, emojiType } = status;
    if (text === '' && emojiName === '') return;
    await tx.query(
      'INSERT INTO user_status (user_id, status_text, emoji_name, emoji_code, emoji_type) VALUES (?, ?, ?, ?, ?)',
      [userId, text, emojiName, emojiCode, emojiType],
    );
  }
}

function toContent({ text, emojiName, emojiCode, emojiType }: UserStatus): StatusContent {
  return { text, emojiName, emojiCode, emojiType };
}
