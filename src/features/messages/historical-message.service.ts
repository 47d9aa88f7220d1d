import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { Flag } from './message-flags';
import { ReadStateService } from './read-state.service';

/** Lets a message into the history of somebody who did not receive it but touched it (spec, Message flags). */
@Injectable()
export class HistoricalMessageService {
  constructor(private readonly readState: ReadStateService) {}

  /** @param messageIds which the person can see and has no part in yet; they get the flags `read` and `historical` */
  async enter(tx: Transaction, userId: number, messageIds: readonly number[]): Promise<void> {
    await this.readState.mark(tx, userId, messageIds, true);
    await tx.query(
      `INSERT INTO message_flag (user_id, message_id, flags) SELECT ?, id, ? FROM message WHERE id IN (?)
       ON CONFLICT (user_id, message_id) DO NOTHING`,
      [userId, Flag.historical, messageIds],
    );
  }
}
