import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog } from '../../audit/audit.module';
import { GroupDirectory, type NamedGroup } from '../groups/group.directory';
import { GroupStore } from '../groups/group-store.service';
import { UserGroupEventsService } from '../groups/user-group-events.service';
import { UserGroupAccess } from '../permissions/user-group.access';
import { groupMembershipChanged } from '../user-groups.hooks';

/** Adds newcomers to the groups chosen by their inviter. */
@Injectable()
export class NewcomerGroupsService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly access: UserGroupAccess,
    private readonly store: GroupStore,
    private readonly events: UserGroupEventsService,
    private readonly audit: AuditLog,
    private readonly hooks: Hooks,
  ) {}

  /** @throws InvalidUserGroup, UserGroupDeactivated, InsufficientPermission */
  requireMayAdd(actor: Actor, groupIds: readonly number[]): void {
    for (const groupId of groupIds) this.access.forChangeWhileActive(actor, groupId, 'add_members');
  }

  /**
   * Within the exclusive transaction in which the account is made. Groups to which the actor could not add anybody any
   * more are left out.
   */
  async add(tx: Transaction, actor: Actor, userId: number, groupIds: readonly number[]): Promise<void> {
    for (const groupId of new Set(groupIds)) {
      const group = this.groups.namedById(groupId);
      if (group && !group.isDeactivated && this.access.mayAddMembers(actor, group)) {
        await this.addTo(tx, actor, group, userId);
      }
    }
  }

  private async addTo(tx: Transaction, actor: Actor, group: NamedGroup, userId: number): Promise<void> {
    await this.store.addMembers(tx, group.id, [userId]);
    this.events.membersAdded(tx, group, [userId]);
    this.audit.record(tx, actor, 'group.member_added', { id: group.id, userId });
    const { id, subgroups } = group;
    const after = { id, subgroups, members: new Set([...group.members, userId]) };
    // No notification: the person has only just joined.
    const change = { actor: null, group, after, addedUserIds: [userId], removedUserIds: [] };
    await this.hooks.run(groupMembershipChanged, tx, change);
  }
}
