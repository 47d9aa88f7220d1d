import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { personalDataRemoved } from '../../users/users.module';
import { MessageFlag } from '../store/message.entity';

/**
 * Writes the rows of single people's flags on messages. The caller has locked what the person has read
 * (ReadStateService.lock), so that changes of one person's flags happen one after the other.
 */
@Injectable()
export class PersonalFlagRowsService {
  constructor(hooks: Hooks) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(MessageFlag).delete({ userId });
    });
  }

  /**
   * Sets flags on messages. Those that are gone by now are left out.
   * @returns the IDs of those that had not all of the flags, in no particular order
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
   * Takes a flag away. A row without any flags left is deleted.
   * @returns the IDs of the messages that had the flag, in no particular order
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

  /** Those of the messages that are there, and stay there until the transaction ends. */
  private async existing(tx: Transaction, messageIds: readonly number[]): Promise<readonly number[]> {
    if (tx.engine === 'sqlite') return messageIds;
    const rows = await tx.query<{ id: number }>(
      'SELECT id FROM message WHERE id IN (?) ORDER BY id FOR KEY SHARE',
      [messageIds],
    );
    return rows.map((row) => row.id);
  }
}
