import { Injectable } from '@nestjs/common';
import { chunksOf } from '../../../platform/collections';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { type GroupMembershipChange, groupMembershipChanged } from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';
import { addedToGroupNotice, removedFromGroupNotice } from './notices';
import { SystemMessageService } from '../sending/system-message.service';

/** How many people are notified per transaction, so that other writes do not wait long. */
const BATCH = 20;

/**
 * Tells people that others put them into groups or took them out; bots are not told. As
 * there may be thousands of them, this happens after the change, which stands even if this fails.
 */
@Injectable()
export class GroupNoticesService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly messages: SystemMessageService,
    hooks: Hooks,
  ) {
    hooks.on(groupMembershipChanged, (tx, change) => {
      tx.afterCommit(() => this.tellEverybody(change));
    });
  }

  private async tellEverybody(change: GroupMembershipChange): Promise<void> {
    const { actor, group, addedUserIds, removedUserIds } = change;
    if (!actor) return;
    const person = { id: actor.userId, fullName: this.accounts.byId(actor.userId)?.fullName ?? '' };
    await this.tell(actor.userId, addedUserIds, addedToGroupNotice(person, group.name));
    await this.tell(actor.userId, removedUserIds, removedFromGroupNotice(person, group.name));
  }

  private async tell(actorId: number, userIds: readonly number[], content: string): Promise<void> {
    const told = userIds.filter((userId) => userId !== actorId && !this.accounts.byId(userId)?.isBot);
    for (const some of chunksOf(told, BATCH)) {
      await this.transactions.run(async (tx) => {
        for (const userId of some) {
          await this.messages.sendToPerson(tx, 'notification-bot', userId, { content });
        }
      });
    }
  }
}
