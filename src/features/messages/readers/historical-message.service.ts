import { Injectable } from '@nestjs/common';
import { addTo, groupByList } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import { Flag } from '../store/message-flags';
import { SENT_TO_NOBODY } from '../store/message-rows.service';
import { PersonalFlagRowsService } from './personal-flag-rows.service';
import { ReadStateService } from './read-state.service';

/** Lets messages into the histories of people who did not receive but touched them, and takes them out again. */
@Injectable()
export class HistoricalMessageService {
  constructor(
    private readonly readState: ReadStateService,
    private readonly rows: PersonalFlagRowsService,
  ) {}

  /**
   * @param messageIds which the person can see and has no part in yet
   * @param flags bits they get beside `historical`; `read` as well unless it is left out
   */
  async enter(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
    flags: number = Flag.read,
  ): Promise<void> {
    const status = (flags & Flag.read) === 0 ? 'unread' : 'read';
    await this.readState.mark(tx, userId, messageIds, status);
    await this.rows.add(tx, userId, messageIds, (flags & ~Flag.read) | Flag.historical);
  }

  /**
   * Removes what people had noted on messages that they cannot see any more.
   * @param isLosing called for everybody who had noted anything
   */
  async leave(
    tx: Transaction,
    messageIds: readonly number[],
    isLosing: (userId: number) => boolean,
  ): Promise<void> {
    const rows = await tx.query<{ id: number }>(
      'SELECT DISTINCT user_id AS id FROM message_flag WHERE message_id IN (?)',
      [messageIds],
    );
    const losing = rows.map(({ id }) => id).filter(isLosing);
    if (losing.length === 0) return;
    const sql = 'DELETE FROM message_flag WHERE message_id IN (?) AND user_id IN (?)';
    await tx.query(sql, [messageIds, losing]);
  }

  /**
   * From now on, rows say who has the messages in their history, and no longer the channel they were sent to: those
   * who cannot see them where they are now do not get them back by coming there later.
   * @param entering people who also get what they have not received, which counts as read
   * @param keeping further people, who keep what they have received
   * @returns how many rows that took
   */
  async settle(
    tx: Transaction,
    { entering, keeping }: { readonly entering: Audience; readonly keeping: Audience },
    messageIds: readonly number[],
  ): Promise<number> {
    const rows = await tx.query<{ userId: number; messageId: number; flags: number }>(
      `INSERT INTO message_flag (user_id, message_id, flags)
       SELECT user_id, message_id, CASE WHEN has_received THEN ${Flag.received} ELSE ${Flag.historical} END FROM (
         SELECT a.id AS user_id, m.id AS message_id, EXISTS (
           SELECT 1 FROM subscription_period p
           WHERE p.user_id = a.id AND p.channel_id = COALESCE(m.sent_channel_id, m.channel_id)
             AND p.first_message_id <= m.id AND (p.last_message_id IS NULL OR p.last_message_id >= m.id)
         ) AS has_received
         FROM account a CROSS JOIN message m WHERE a.id IN (?) AND m.id IN (?)) AS part
       WHERE has_received OR user_id IN (?)
       ON CONFLICT (user_id, message_id) DO UPDATE SET flags = message_flag.flags | excluded.flags
       WHERE excluded.flags = ${Flag.received} AND (message_flag.flags & ${Flag.historical}) = 0
       RETURNING user_id AS "userId", message_id AS "messageId", flags`,
      [[...entering.union(keeping).ids()], messageIds, [...entering.ids()]],
    );
    await tx.query(`UPDATE message SET sent_channel_id = ${SENT_TO_NOBODY} WHERE id IN (?)`, [messageIds]);
    const entered = rows.filter(({ flags }) => flags === Flag.historical);
    const byPerson = new Map<number, number[]>();
    for (const { userId, messageId } of entered) addTo(byPerson, userId, messageId);
    for (const { userIds, items } of groupByList(byPerson, (messageId) => messageId)) {
      await this.readState.markReadForAll(tx, userIds, items);
    }
    return rows.length;
  }
}
