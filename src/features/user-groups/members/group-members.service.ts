import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { idsWithout } from '../../../platform/collections';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog } from '../../audit/audit.module';
import { AccountDirectory, UserAccess } from '../../users/users.module';
import {
  AlreadyGroupMember,
  AlreadySubgroup,
  NoMembersNamed,
  NoSuchGroupMember,
  NotASubgroup,
  SubgroupCycle,
} from '../groups/group-records.api';
import { GroupStore, UserGroupEventsService } from '../groups/group-store.service';
import { GroupDirectory, type NamedGroup } from '../groups/group.directory';
import { GroupReferenceAccess, UserGroupAccess } from '../permissions/user-group.access';
import { type GroupMembershipChange, groupMembershipChanged } from '../user-groups.hooks';

/** Reads the members of user groups. */
@Injectable()
export class ReadGroupMembersService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly users: UserAccess,
    private readonly access: UserGroupAccess,
  ) {}

  /** Active members, ascending. @throws InvalidUserGroup, UserGroupDeactivated */
  members(groupId: number, directOnly: boolean): number[] {
    const group = this.access.forReading(groupId);
    const members = directOnly ? group.members : this.groups.membersOf(groupId);
    const { active } = this.accounts;
    return [...members].filter((userId) => active.has(userId)).sort((a, b) => a - b);
  }

  /** @throws InvalidUserGroup, UserGroupDeactivated, NoSuchUser, UserDeactivated */
  async isMember(actor: Actor, groupId: number, userId: number, directOnly: boolean): Promise<boolean> {
    const group = this.access.forReading(groupId);
    const { id } = await this.users.activeForReading(actor, userId);
    return directOnly ? group.members.has(id) : this.groups.isMember(id, groupId);
  }

  /** IDs of subgroups, ascending, including deactivated ones. @throws InvalidUserGroup, UserGroupDeactivated */
  subgroups(groupId: number, directOnly: boolean): number[] {
    const group = this.access.forReading(groupId);
    const found = new Set(directOnly ? group.subgroups : this.groups.below(groupId));
    found.delete(groupId);
    return [...found].sort((a, b) => a - b);
  }
}

/** IDs of members and subgroups to add and remove. */
export interface WantedMembers {
  readonly add: readonly number[];
  readonly remove: readonly number[];
  readonly addSubgroups: readonly number[];
  readonly removeSubgroups: readonly number[];
}

/** The direct contents of a group, as updated by the steps of a request. */
interface GroupDraft {
  readonly id: number;
  readonly members: Set<number>;
  readonly subgroups: Set<number>;
}

/** Changes the members of user groups, including deactivated ones. */
@Injectable()
export class UpdateGroupMembersService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly groups: GroupDirectory,
    private readonly access: UserGroupAccess,
    private readonly references: GroupReferenceAccess,
    private readonly store: GroupStore,
    private readonly events: UserGroupEventsService,
    private readonly audit: AuditLog,
    private readonly hooks: Hooks,
  ) {}

  /** Changes members and subgroups in one request, all or nothing. @throws NoMembersNamed, and errors of the steps */
  updateMembers(actor: Actor, groupId: number, wanted: WantedMembers): Promise<void> {
    const parameters = '"add", "delete", "add_subgroups" or "delete_subgroups"';
    return this.update(actor, groupId, wanted, parameters);
  }

  /** Changes only subgroups. @throws NoMembersNamed, and errors of the steps */
  updateSubgroups(
    actor: Actor,
    groupId: number,
    wanted: Pick<WantedMembers, 'addSubgroups' | 'removeSubgroups'>,
  ): Promise<void> {
    return this.update(actor, groupId, { add: [], remove: [], ...wanted }, '"add" or "delete"');
  }

  /** @param parameters that the request may have, for the error if all are missing */
  private async update(
    actor: Actor,
    groupId: number,
    wanted: WantedMembers,
    parameters: string,
  ): Promise<void> {
    if (isEmpty(wanted)) throw new NoMembersNamed(`Specify at least one of ${parameters}.`);
    await this.transactions.runExclusive(async (tx) => {
      const current = this.users.current(actor);
      const draft = this.draftOf(groupId);
      await this.addPeople(tx, current, draft, wanted.add);
      await this.removePeople(tx, current, draft, wanted.remove);
      await this.addSubgroups(tx, current, draft, wanted.addSubgroups);
      await this.removeSubgroups(tx, current, draft, wanted.removeSubgroups);
      const change = this.changeMade(current, draft);
      this.record(tx, current, change);
      await this.hooks.run(groupMembershipChanged, tx, change);
    });
  }

  /** @throws InvalidUserGroup, InsufficientPermission, InvalidUserId, AlreadyGroupMember */
  private async addPeople(
    tx: Transaction,
    actor: Actor,
    draft: GroupDraft,
    wanted: readonly number[],
  ): Promise<void> {
    if (wanted.length === 0) return;
    const group = this.access.forChange(actor, draft.id, isOnly(actor, wanted) ? 'join' : 'add_members');
    const userIds = this.references.activeAccounts(wanted);
    const present = wanted.find((userId) => draft.members.has(userId));
    if (present !== undefined) throw new AlreadyGroupMember(present);
    await this.store.addMembers(tx, group.id, userIds);
    this.events.membersAdded(tx, group, userIds);
    for (const userId of userIds) draft.members.add(userId);
  }

  /** Checks the people first. @throws InvalidUserId, InvalidUserGroup, InsufficientPermission, NoSuchGroupMember */
  private async removePeople(
    tx: Transaction,
    actor: Actor,
    draft: GroupDraft,
    wanted: readonly number[],
  ): Promise<void> {
    if (wanted.length === 0) return;
    const userIds = this.references.activeAccounts(wanted);
    const group = this.access.forChange(actor, draft.id, isOnly(actor, wanted) ? 'leave' : 'remove_members');
    const absent = wanted.find((userId) => !draft.members.has(userId));
    if (absent !== undefined) throw new NoSuchGroupMember(absent);
    await this.store.removeMembers(tx, group.id, userIds);
    this.events.membersRemoved(tx, group, userIds);
    for (const userId of userIds) draft.members.delete(userId);
  }

  /**
   * @throws InvalidUserGroup, InsufficientPermission, InvalidUserGroupId, UserGroupDeactivated, AlreadySubgroup,
   *   SubgroupCycle
   */
  private async addSubgroups(
    tx: Transaction,
    actor: Actor,
    draft: GroupDraft,
    wanted: readonly number[],
  ): Promise<void> {
    if (wanted.length === 0) return;
    const group = this.access.forChange(actor, draft.id, 'add_subgroups');
    const subgroupIds = this.references.activeGroups(wanted);
    const present = wanted.find((subgroupId) => draft.subgroups.has(subgroupId));
    if (present !== undefined) throw new AlreadySubgroup(present);
    const above = this.groups.above([group.id]);
    if (subgroupIds.some((subgroupId) => above.has(subgroupId))) throw new SubgroupCycle(group.id);
    await this.store.addSubgroups(tx, group.id, subgroupIds);
    this.events.subgroupsAdded(tx, group, subgroupIds);
    for (const subgroupId of subgroupIds) draft.subgroups.add(subgroupId);
  }

  /** @throws InvalidUserGroup, InsufficientPermission, InvalidUserGroupId, UserGroupDeactivated, NotASubgroup */
  private async removeSubgroups(
    tx: Transaction,
    actor: Actor,
    draft: GroupDraft,
    wanted: readonly number[],
  ): Promise<void> {
    if (wanted.length === 0) return;
    const group = this.access.forChange(actor, draft.id, 'remove_subgroups');
    const subgroupIds = this.references.activeGroups(wanted);
    const absent = wanted.find((subgroupId) => !draft.subgroups.has(subgroupId));
    if (absent !== undefined) throw new NotASubgroup(absent);
    await this.store.removeSubgroups(tx, group.id, subgroupIds);
    this.events.subgroupsRemoved(tx, group, subgroupIds);
    for (const subgroupId of subgroupIds) draft.subgroups.delete(subgroupId);
  }

  /** Joining or leaving a group changes permissions, so changes to oneself are recorded as well. */
  private record(tx: Transaction, actor: Actor, change: GroupMembershipChange): void {
    const { group, after, addedUserIds, removedUserIds } = change;
    const { id } = after;
    this.audit.record(tx, actor, 'group.member_added', { id, userId: addedUserIds });
    this.audit.record(tx, actor, 'group.member_removed', { id, userId: removedUserIds });
    const added = idsWithout(after.subgroups, group.subgroups);
    const removed = idsWithout(group.subgroups, after.subgroups);
    if (added.length + removed.length === 0) return;
    this.audit.record(tx, actor, 'group.subgroups_changed', { id }, { added, removed });
  }

  private changeMade(actor: Actor, after: GroupDraft): GroupMembershipChange {
    const group = this.groups.namedById(after.id) as NamedGroup;
    return {
      actor,
      group,
      after,
      addedUserIds: idsWithout(after.members, group.members),
      removedUserIds: idsWithout(group.members, after.members),
    };
  }

  /** Each step looks up the group itself, since the order of checks matters. */
  private draftOf(groupId: number): GroupDraft {
    const group = this.groups.namedById(groupId);
    return { id: groupId, members: new Set(group?.members), subgroups: new Set(group?.subgroups) };
  }
}

/** Adds new users to the groups chosen by their inviter. */
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

function isEmpty({ add, remove, addSubgroups, removeSubgroups }: WantedMembers): boolean {
  return [add, remove, addSubgroups, removeSubgroups].every((ids) => ids.length === 0);
}

function isOnly(actor: Actor, userIds: readonly number[]): boolean {
  return userIds.length === 1 && userIds[0] === actor.userId;
}
