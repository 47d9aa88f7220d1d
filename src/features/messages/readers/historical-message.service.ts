import { Injectable } from '@nestjs/common';
import { ReadStateService } from './read-state.service';
import { addTo, groupByList } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved } from '../../users/users.module';
import { Flag } from '../store/message-flags';
import { SENT_TO_NOBODY } from '../store/message-rows.service';
import { MessageFlag } from '../store/message.entity';

/**
 * Writes the rows of one person's flags on messages. The caller has locked the person's read state
 * (ReadStateService.lock), so changes of one person's flags are serialized.
 */
@Injectable()
export class PersonalFlagRowsService {
  constructor(hooks: Hooks) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(MessageFlag).delete({ userId });
    });
  }

  /**
   * Sets flags on messages, skipping deleted ones.
   * @returns IDs of the messages that lacked at least one of the flags, in no particular order
   */
  async add(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
    flags: number,
  ): Promise<number[]> {
    if (messageIds.length === 0) return [];
    const rows = await tx.query<{ message_id: number }>(
      `INSERT INTO message_flag (user_id, message_id, flags) SELECT ?, id, ? FROM message WHERE id IN (?)
       ON CONFLICT (user_id, message_id) DO UPDATE SET flags = message_flag.flags | excluded.flags
       WHERE (message_flag.flags & excluded.flags) <> excluded.flags
       RETURNING message_id`,
      [userId, flags, await this.existing(tx, messageIds)],
    );
    return rows.map((row) => row.message_id);
  }

  /**
   * Removes a flag. A row without any flags left is deleted.
   * @returns IDs of the messages that had the flag, in no particular order
   */
  async remove(
    tx: Transaction,
    userId: number,
    messageIds: readonly number[],
    flag: number,
  ): Promise<number[]> {
    if (messageIds.length === 0) return [];
    const rows = await tx.query<{ message_id: number }>(
      `UPDATE message_flag SET flags = flags & ?
       WHERE user_id = ? AND message_id IN (?) AND (flags & ?) <> 0 RETURNING message_id`,
      [~flag, userId, messageIds, flag],
    );
    const changed = rows.map((row) => row.message_id);
    await tx.query('DELETE FROM message_flag WHERE user_id = ? AND message_id IN (?) AND flags = 0', [
      userId,
      changed,
    ]);
    return changed;
  }

  /** The messages that exist, locked against deletion until the transaction ends. */
  private async existing(tx: Transaction, messageIds: readonly number[]): Promise<readonly number[]> {
    if (tx.engine === 'sqlite') return messageIds;
    const rows = await tx.query<{ id: number }>(
      'SELECT id FROM message WHERE id IN (?) ORDER BY id FOR KEY SHARE',
      [messageIds],
    );
    return rows.map((row) => row.id);
  }
}

/**
 * Adds messages to the histories of people who did not receive them but interacted with them, and removes them again.
 */
@Injectable()
export class HistoricalMessageService {
  constructor(
    private readonly readState: ReadStateService,
    private readonly rows: PersonalFlagRowsService,
  ) {}

  /**
   * @param messageIds messages that the person can see and that are not in their history yet
   * @param flags bits to set besides `historical`; includes `read` by default
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
   * Removes people's flags from messages that they cannot see any more.
   * @param isLosing called for everyone who had flags on them
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
   * Freezes the histories of messages: from now on, rows instead of the original channel determine who has the
   * messages, so people who cannot see them where they are now do not regain them by subscribing there later.
   * @param entering people who also get messages that they did not receive, as read
   * @param keeping other people, who keep what they received
   * @returns the number of rows written
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
