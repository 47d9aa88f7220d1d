import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';

/** Lets other features rely on somebody's being subscribed until what they do has happened. */
@Injectable()
export class HeldSubscriptionsService {
  /** @returns those of the channels that the person is subscribed to, and stays so until the transaction ends */
  async among(tx: Transaction, userId: number, channelIds: readonly number[]): Promise<ReadonlySet<number>> {
    if (channelIds.length === 0) return new Set();
    const rows = await tx.query<{ channel_id: number }>(
      `SELECT channel_id FROM subscription WHERE user_id = ? AND channel_id IN (?) AND is_active = ?
       ORDER BY id ${tx.engine === 'postgres' ? 'FOR SHARE' : ''}`,
      [userId, channelIds, true],
    );
    return new Set(rows.map((row) => row.channel_id));
  }
}
