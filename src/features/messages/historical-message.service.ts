import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import type { Audience } from '../../platform/events/audience';
import { Flag } from './message-flags';
import { PersonalFlagRowsService } from './personal-flag-rows.service';
import { ReadStateService } from './read-state.service';

/** Lets a message into the history of somebody who did not receive it but touched it (spec, Message flags). */
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
    await this.readState.mark(tx, userId, messageIds, (flags & Flag.read) !== 0);
    await this.rows.add(tx, userId, messageIds, (flags & ~Flag.read) | Flag.historical);
  }

  /**
   * Lets messages into the histories of those of the people who have not received them; they count as read.
   * @returns how many rows that took
   */
  async enterAll(tx: Transaction, people: Audience, messageIds: readonly number[]): Promise<number> {
    const rows = await tx.query<{ userId: number; messageId: number }>(
      `INSERT INTO message_flag (user_id, message_id, flags)
       SELECT a.id, m.id, ? FROM account a CROSS JOIN message m
       WHERE a.id IN (?) AND m.id IN (?) AND NOT EXISTS (
         SELECT 1 FROM subscription_period p
         WHERE p.user_id = a.id AND p.channel_id = COALESCE(m.sent_channel_id, m.channel_id)
           AND p.first_message_id <= m.id AND (p.last_message_id IS NULL OR p.last_message_id >= m.id))
       ON CONFLICT (user_id, message_id) DO NOTHING
       RETURNING user_id AS "userId", message_id AS "messageId"`,
      [Flag.historical, [...people.ids()], messageIds],
    );
    const byPeople = new Map<string, { userIds: number[]; messageIds: number[] }>();
    for (const [userId, own] of groupByPerson(rows)) {
      const key = own.join();
      const group = byPeople.get(key);
      if (group) group.userIds.push(userId);
      else byPeople.set(key, { userIds: [userId], messageIds: own });
    }
    for (const group of byPeople.values()) {
      await this.readState.markReadForAll(tx, group.userIds, group.messageIds);
    }
    return rows.length;
  }
}

function groupByPerson(
  rows: readonly { readonly userId: number; readonly messageId: number }[],
): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const { userId, messageId } of rows) {
    const group = groups.get(userId);
    if (group) group.push(messageId);
    else groups.set(userId, [messageId]);
  }
  return groups;
}
