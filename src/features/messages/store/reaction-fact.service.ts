import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { MessageFact } from './message-facts';

/** Notes on a message whether it has reactions, so that narrows need not look for them. */
@Injectable()
export class ReactionFactService {
  /** Keeps others from changing the message and its reactions until the transaction ends. */
  async hold(tx: Transaction, messageId: number): Promise<void> {
    if (tx.engine === 'sqlite') return;
    await tx.query('SELECT id FROM message WHERE id = ? FOR NO KEY UPDATE', [messageId]);
  }

  /** On a message that is held. */
  async note(tx: Transaction, messageId: number, hasReactions: boolean): Promise<void> {
    const fact = MessageFact.hasReaction;
    await (hasReactions
      ? tx.query('UPDATE message SET facts = facts | ? WHERE id = ? AND (facts & ?) = 0', [
          fact,
          messageId,
          fact,
        ])
      : tx.query('UPDATE message SET facts = facts & ? WHERE id = ?', [~fact, messageId]));
  }
}
