import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import type { MessageHead } from '../store/message-rows.service';
import { blockOf, ReadSet } from '../store/read-set';
import { channelSentTo } from '../store/received-history';

interface OwnerRow {
  readonly user_id: number;
  readonly watermark: number | null;
  readonly bits: string | null;
}

/** Knows who has read a message. */
@Injectable()
export class MessageReadersService {
  /** Those who have it in their history and have read it, whatever has become of them since, ascending. */
  async of(db: Queryable, message: MessageHead): Promise<number[]> {
    const { id, conversationId } = message;
    const block = blockOf(id);
    const rows = await db.query<OwnerRow>(
      `SELECT o.user_id, w.message_id AS watermark, b.bits FROM (
         SELECT user_id FROM subscription_period
         WHERE channel_id = ? AND first_message_id <= ? AND (last_message_id >= ? OR last_message_id IS NULL)
         UNION SELECT user_id FROM direct_conversation_member WHERE conversation_id = ?
         UNION SELECT user_id FROM message_flag WHERE message_id = ?) o
       LEFT JOIN read_watermark w ON w.user_id = o.user_id
       LEFT JOIN read_block b ON b.user_id = o.user_id AND b.block = ?
       ORDER BY o.user_id`,
      [channelSentTo(message), id, id, conversationId, id, block],
    );
    const hasRead = ({ watermark, bits }: OwnerRow) =>
      new ReadSet(watermark ?? 0, bits === null ? [] : [[block, bits]]).isRead(id);
    return rows.filter(hasRead).map((row) => row.user_id);
  }
}
