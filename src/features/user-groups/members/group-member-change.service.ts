import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { GroupDraft } from './group-draft';
import { GroupReferenceAccess } from '../groups/group-reference.access';
import { GroupStore } from '../groups/group-store.service';
import { UserGroupEventsService } from '../groups/user-group-events.service';
import { UserGroupAccess } from '../permissions/user-group.access';
import { AlreadyGroupMember, NoSuchGroupMember } from '../groups/user-groups.errors';

/** Puts people into groups and takes them out, as steps of a larger change (groups reference 6.7). */
@Injectable()
export class GroupMemberChangeService {
  constructor(
    private readonly access: UserGroupAccess,
    private readonly references: GroupReferenceAccess,
    private readonly store: GroupStore,
    private readonly events: UserGroupEventsService,
  ) {}

  /** @throws InvalidUserGroup, InsufficientPermission, InvalidUserId, AlreadyGroupMember */
  async add(tx: Transaction, actor: Actor, draft: GroupDraft, wanted: readonly number[]): Promise<void> {
    if (wanted.length === 0) return;
    const group = this.access.forChange(actor, draft.id, isOnly(actor, wanted) ? 'join' : 'add_members');
    const userIds = this.references.activeAccounts(wanted);
    const present = wanted.find((userId) => draft.members.has(userId));
    if (present !== undefined) throw new AlreadyGroupMember(present);
    await this.store.addMembers(tx, group.id, userIds);
    this.events.membersAdded(tx, group, userIds);
    for (const userId of userIds) draft.members.add(userId);
  }

  /** Looks for the people first. @throws InvalidUserId, InvalidUserGroup, InsufficientPermission, NoSuchGroupMember */
  async remove(tx: Transaction, actor: Actor, draft: GroupDraft, wanted: readonly number[]): Promise<void> {
    if (wanted.length === 0) return;
    const userIds = this.references.activeAccounts(wanted);
    const group = this.access.forChange(actor, draft.id, isOnly(actor, wanted) ? 'leave' : 'remove_members');
    const absent = wanted.find((userId) => !draft.members.has(userId));
    if (absent !== undefined) throw new NoSuchGroupMember(absent);
    await this.store.removeMembers(tx, group.id, userIds);
    this.events.membersRemoved(tx, group, userIds);
    for (const userId of userIds) draft.members.delete(userId);
  }
}

function isOnly(actor: Actor, userIds: readonly number[]): boolean {
  return userIds.length === 1 && userIds[0] === actor.userId;
}
