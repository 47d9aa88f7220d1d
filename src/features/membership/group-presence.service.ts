import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { GroupDirectory } from '../user-groups/group.directory';
import { groupMembersAdded, groupMembersRemoved } from '../user-groups/user-groups.events';
import { AccountDirectory } from '../users/account.directory';

/**
 * Tells of accounts that leave or enter the groups they are in without their memberships changing: the
 * members of a group, as clients see them, are the active ones.
 */
@Injectable()
export class GroupPresenceService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
  ) {}

  emitLeft(tx: Transaction, userId: number): void {
    for (const group_id of this.groupIdsOf(userId)) {
      tx.emit(groupMembersRemoved({ group_id, user_ids: [userId] }), this.accounts.active);
    }
  }

  emitEntered(tx: Transaction, userId: number): void {
    for (const group_id of this.groupIdsOf(userId)) {
      tx.emit(groupMembersAdded({ group_id, user_ids: [userId] }), this.accounts.active);
    }
  }

  /** Groups that clients know, and that hold the account directly; ascending. */
  private groupIdsOf(userId: number): number[] {
    return this.groups
      .named()
      .filter(({ members }) => members.has(userId))
      .map(({ id }) => id);
  }
}
