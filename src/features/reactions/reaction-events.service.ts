import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { MessageAudienceService } from '../messages/message-audience.service';
import type { ReadableMessage } from '../messages/message.access';
import { AccountDirectory } from '../users/account.directory';
import type { StoredReaction } from './reaction-rows.service';
import { reactionAdded, reactionRemoved } from './reactions.events';
import { reactionWire } from './reactions.wire';

/** Tells of reactions. */
@Injectable()
export class ReactionEventsService {
  constructor(
    private readonly audiences: MessageAudienceService,
    private readonly accounts: AccountDirectory,
  ) {}

  async emit(
    tx: Transaction,
    event: 'added' | 'removed',
    message: ReadableMessage['message'],
    { messageId, userId, emoji }: StoredReaction,
  ): Promise<void> {
    const define = event === 'added' ? reactionAdded : reactionRemoved;
    const payload = { ...reactionWire(emoji, userId), user: this.person(userId), message_id: messageId };
    tx.emit(define(payload), await this.audiences.of(tx, message));
  }

  private person(userId: number): { user_id: number; email: string; full_name: string } {
    const account = this.accounts.byId(userId);
    return {
      user_id: userId,
      email: account ? this.accounts.apiEmail(account) : '',
      full_name: account?.fullName ?? '',
    };
  }
}
