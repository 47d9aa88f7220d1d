import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';

/** How many messages somebody sent that are still there, and which is the newest. */
export interface SentMessages {
  readonly count: number;
  readonly newestId: number;
}

/** Counts what people sent. */
@Injectable()
export class SentMessagesService {
  /** @returns null for somebody who sent nothing */
  async of(db: Queryable, userId: number): Promise<SentMessages | null> {
    const [row] = await db.query<{ count: number; newest: number | null }>(
      'SELECT COUNT(*) AS count, MAX(id) AS newest FROM message WHERE sender_id = ?',
      [userId],
    );
    return row && row.newest !== null ? { count: Number(row.count), newestId: row.newest } : null;
  }
}
