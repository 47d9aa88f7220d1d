import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { ChannelGroupsService } from '../channels';
import {
  type ActivityChange,
  GroupDirectory,
  type NamedGroup,
  PermissionHoldersService,
  UserGroupEventsService,
} from '../user-groups';

/**
 * Tells of accounts that leave or enter the groups they are in without their memberships changing: the members of a
 * group, as clients see them, are the active ones. Those to whom a permission is given one by one are such a group.
 */
@Injectable()
export class GroupPresenceService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly events: UserGroupEventsService,
    private readonly holders: PermissionHoldersService,
    private readonly channelHolders: ChannelGroupsService,
  ) {}

  /** @param goneBefore accounts that left before in the same transaction */
  emitLeft(tx: Transaction, userId: number, goneBefore: ReadonlySet<number>): void {
    for (const group of this.groupsOf(userId)) this.events.membersRemoved(tx, group, [userId]);
    this.emitPermissions(tx, { userId, isActive: false, goneBefore });
  }

  emitEntered(tx: Transaction, userId: number): void {
    for (const group of this.groupsOf(userId)) this.events.membersAdded(tx, group, [userId]);
    this.emitPermissions(tx, { userId, isActive: true });
  }

  private emitPermissions(tx: Transaction, change: ActivityChange): void {
    this.holders.emitChanged(tx, change);
    this.channelHolders.emitChanged(tx, change);
  }

  /** Groups that clients know, and that hold the account directly; ascending. */
  private groupsOf(userId: number): NamedGroup[] {
    return this.groups.named().filter(({ members }) => members.has(userId));
  }
}
