import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import type { Queryable } from '../../../platform/sql/queryable';
import { Hooks } from '../../../platform/hooks/hooks';
import { type MessageCounts, messageCountsPort } from '../../channels/channels.module';

const SECONDS_A_DAY = 86_400;

/** How many messages a person sent that are still there, and which is the newest. */
export interface SentMessages {
  readonly count: number;
  readonly newestId: number;
}

/** Finds and counts messages by who sent them and when: IDs rise with time, and there is no index on the time. */
@Injectable()
export class MessageCountsService implements MessageCounts {
  constructor(
    private readonly database: Database,
    hooks: Hooks,
  ) {
    hooks.provide(messageCountsPort, this);
  }

  /** The newest ID; 0 while there is no message. */
  async newestId(db: Queryable): Promise<number> {
    const [row] = await db.query<{ id: number | null }>('SELECT MAX(id) AS id FROM message');
    return row?.id ?? 0;
  }

  /** @returns null for a person who sent nothing */
  async sentBy(db: Queryable, userId: number): Promise<SentMessages | null> {
    const [row] = await db.query<{ count: number; newest: number | null }>(
      'SELECT COUNT(*) AS count, MAX(id) AS newest FROM message WHERE sender_id = ?',
      [userId],
    );
    return row && row.newest !== null ? { count: Number(row.count), newestId: row.newest } : null;
  }

  /** The last ID sent before a time, by halving. @param time UNIX seconds */
  async lastIdBefore(time: number): Promise<number> {
    let low = 0;
    let high = await this.newestId(this.database.read);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const [row] = await this.database.read.query<{ sent_at: number }>(
        'SELECT sent_at FROM message WHERE id <= ? ORDER BY id DESC LIMIT 1',
        [middle],
      );
      if (!row || row.sent_at < time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** How many messages after one ID and up to another each channel got, by days since 1970. */
  async countByChannel(
    after: number,
    last: number,
  ): Promise<{ channelId: number; day: number; messages: number }[]> {
    const rows = await this.database.read.query<{ channel_id: number; day: number; messages: number }>(
      `SELECT channel_id, sent_at / ${SECONDS_A_DAY} AS day, COUNT(*) AS messages FROM message
       WHERE id > ? AND id <= ? AND channel_id IS NOT NULL GROUP BY channel_id, sent_at / ${SECONDS_A_DAY}`,
      [after, last],
    );
    return rows.map(({ channel_id: channelId, day, messages }) => ({ channelId, day, messages }));
  }
}
