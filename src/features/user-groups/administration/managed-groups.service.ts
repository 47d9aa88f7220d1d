import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog } from '../../audit/audit.module';
import { AccountDirectory } from '../../users/users.module';
import { GroupInUse, userGroupWire } from '../groups/group-records.api';
import { GroupDirectory, type NamedGroup } from '../groups/group.directory';
import { GroupStore, UserGroupEventsService } from '../groups/group-store.service';
import { GroupUsageService } from '../permissions/permission.service';
import { UserGroupSettingsService } from '../permissions/permission-settings.service';
import { groupMembershipChanged } from '../user-groups.hooks';
import { UserGroupRecords } from './user-group-records.service';

/**
 * Groups managed from outside the organization, such as by a company directory. No permission checks: the caller has
 * decided. Each step belongs into the caller's exclusive transaction.
 */
@Injectable()
export class ManagedGroupsService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly groups: GroupDirectory,
    private readonly settings: UserGroupSettingsService,
    private readonly store: GroupStore,
    private readonly events: UserGroupEventsService,
    private readonly records: UserGroupRecords,
    private readonly usage: GroupUsageService,
    private readonly audit: AuditLog,
    private readonly hooks: Hooks,
  ) {}

  /**
   * Creates a group without a creator; administrators may change it.
   * @returns its ID
   * @throws errors of names
   */
  async create(tx: Transaction, actor: Actor, given: string, memberIds: readonly number[]): Promise<number> {
    const name = this.store.checkedName(given);
    this.store.checkNameIsFree(name);
    const administrators = this.groups.systemGroupId('role:administrators');
    const chosen = { can_add_members_group: administrators, can_manage_group: administrators };
    const settings = this.settings.complete(chosen, actor.userId);
    const holders = await this.settings.store(tx, settings);
    const group = await this.store.insert(tx, { name, description: '', creatorId: null, ...holders });
    await this.store.addMembers(tx, group.id, memberIds);
    this.events.added(tx, userGroupWire({ ...group, name }, this.active(memberIds), [], settings));
    this.audit.record(tx, actor, 'group.created', { id: group.id }, { name, ...settings });
    this.audit.record(tx, actor, 'group.member_added', { id: group.id, userId: memberIds });
    return group.id;
  }

  /** @throws errors of names */
  async rename(tx: Transaction, actor: Actor, group: NamedGroup, given: string): Promise<void> {
    const name = this.store.checkedName(given);
    if (name === group.name) return;
    this.store.checkNameIsFree(name);
    await this.store.update(tx, group.id, { name });
    this.events.updated(tx, group, 'name', name);
    this.audit.record(tx, actor, 'group.changed', { id: group.id }, { name: { from: group.name, to: name } });
  }

  /** Gives the group exactly these members; deactivated people count once they come back. */
  async setMembers(
    tx: Transaction,
    actor: Actor,
    group: NamedGroup,
    wanted: ReadonlySet<number>,
  ): Promise<void> {
    const addedUserIds = missing(wanted, group.members);
    const removedUserIds = missing(group.members, wanted);
    await this.store.addMembers(tx, group.id, addedUserIds);
    await this.store.removeMembers(tx, group.id, removedUserIds);
    const [came, left] = [this.active(addedUserIds), this.active(removedUserIds)];
    if (came.length > 0) this.events.membersAdded(tx, group, came);
    if (left.length > 0) this.events.membersRemoved(tx, group, left);
    const { id } = group;
    this.audit.record(tx, actor, 'group.member_added', { id, userId: addedUserIds });
    this.audit.record(tx, actor, 'group.member_removed', { id, userId: removedUserIds });
    const after = { id, members: wanted, subgroups: group.subgroups };
    await this.hooks.run(groupMembershipChanged, tx, { actor, group, after, addedUserIds, removedUserIds });
  }

  /** @throws GroupInUse where permissions rest on it */
  async deactivate(tx: Transaction, actor: Actor, group: NamedGroup): Promise<void> {
    const objections = this.usage.objectionsTo(group);
    if (objections.length > 0) throw new GroupInUse(objections);
    await this.store.update(tx, group.id, { isDeactivated: true });
    this.audit.record(tx, actor, 'group.deactivated', { id: group.id });
    this.events.deactivated(tx, group);
  }

  /** Brings a deactivated group back, with the members that it had. @returns the group as it is from now on */
  async bringBack(tx: Transaction, actor: Actor, group: NamedGroup): Promise<NamedGroup> {
    await this.store.update(tx, group.id, { isDeactivated: false });
    this.audit.record(tx, actor, 'group.reactivated', { id: group.id });
    this.events.reactivated(tx, this.records.record(group, { isDeactivated: false }));
    return { ...group, isDeactivated: false };
  }

  /** Clients know no others as members. */
  private active(userIds: readonly number[]): number[] {
    return userIds.filter((userId) => this.accounts.active.has(userId));
  }
}

/** IDs of the one set that the other lacks, ascending. */
function missing(ids: ReadonlySet<number>, other: ReadonlySet<number>): number[] {
  return [...ids].filter((id) => !other.has(id)).sort((a, b) => a - b);
}
