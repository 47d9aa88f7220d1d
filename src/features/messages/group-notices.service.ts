import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import {
  GroupObserverRegistry,
  type GroupMembershipChange,
  type GroupObserver,
} from '../user-groups/group-observer.registry';
import { AccountDirectory } from '../users/account.directory';
import { addedToGroupNotice, removedFromGroupNotice } from './sending/notices';
import { SystemMessageService } from './system-message.service';

/** Tells people that others put them into groups or took them out (groups reference 6.7); bots are not told. */
@Injectable()
export class GroupNoticesService implements GroupObserver {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly messages: SystemMessageService,
    observers: GroupObserverRegistry,
  ) {
    observers.register(this);
  }

  async membershipChanged(tx: Transaction, change: GroupMembershipChange): Promise<void> {
    const { actor, group, addedUserIds, removedUserIds } = change;
    if (!actor) return;
    const person = { id: actor.userId, fullName: this.accounts.byId(actor.userId)?.fullName ?? '' };
    await this.tell(tx, actor.userId, addedUserIds, addedToGroupNotice(person, group.name));
    await this.tell(tx, actor.userId, removedUserIds, removedFromGroupNotice(person, group.name));
  }

  private async tell(
    tx: Transaction,
    actorId: number,
    userIds: readonly number[],
    content: string,
  ): Promise<void> {
    for (const userId of userIds) {
      if (userId === actorId || this.accounts.byId(userId)?.isBot) continue;
      await this.messages.sendToPerson(tx, 'notification-bot', userId, { content });
    }
  }
}
