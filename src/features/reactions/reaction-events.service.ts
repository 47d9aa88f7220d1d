import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import type { Audience } from '../../platform/events/audience';
import { MessageAudienceService, type ReadableMessage } from '../messages';
import { AccountDirectory, UNKNOWN_USER, UserVisibility } from '../users';
import type { StoredReaction } from './reaction-rows.service';
import { reactionAdded, reactionRemoved } from './reactions.events';
import { reactionWire } from './reactions.wire';

/** Tells of reactions. */
@Injectable()
export class ReactionEventsService {
  constructor(
    private readonly audiences: MessageAudienceService,
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
  ) {}

  async emit(
    tx: Transaction,
    event: 'added' | 'removed',
    message: ReadableMessage['message'],
    { messageId, userId, emoji }: StoredReaction,
  ): Promise<void> {
    const define = event === 'added' ? reactionAdded : reactionRemoved;
    const account = this.accounts.existing(userId);
    const tell = (audience: Audience, email: string, fullName: string) => {
      const user = { user_id: userId, email, full_name: fullName };
      tx.emit(define({ ...reactionWire(emoji, userId), user, message_id: messageId }), audience);
    };
    const audience = await this.audiences.of(tx, message);
    const blind = await this.visibility.blindAmong(tx, audience, account);
    tell(audience.without(blind.ids()), this.accounts.apiEmail(account), account.fullName);
    if (blind.size > 0) tell(blind, this.accounts.placeholderOf(userId), UNKNOWN_USER.fullName);
  }
}
