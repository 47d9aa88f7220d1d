import { Injectable } from '@nestjs/common';
import { UserGroupRecords } from './user-group-records.service';
import type { Actor } from '../../../platform/actor';
import { idsWithout } from '../../../platform/collections';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { InsufficientPermission } from '../../../platform/errors/shared.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog, differences } from '../../audit/audit.module';
import { AccountDirectory, UserAccess } from '../../users/users.module';
import { GroupInUse, NoNewGroupData, userGroupWire } from '../groups/group-records.api';
import {
  type GroupSettingChange,
  type GroupSettingValue,
  USER_GROUP_SETTING_NAMES,
  USER_GROUP_SETTINGS,
  type UserGroupSetting,
} from '../groups/group-settings';
import { GroupStore, UserGroupEventsService } from '../groups/group-store.service';
import { GroupDirectory, type NamedGroup } from '../groups/group.directory';
import { UserGroupSettingsService } from '../permissions/permission-settings.service';
import { GroupUsageService, PermissionService } from '../permissions/permission.service';
import { GroupReferenceAccess, UserGroupAccess } from '../permissions/user-group.access';
import { groupMembershipChanged } from '../user-groups.hooks';

/** A group to create. */
export interface NewUserGroup {
  readonly name: string;
  readonly description: string;
  readonly memberIds: readonly number[];
  readonly subgroupIds: readonly number[];
  readonly settings: Readonly<Partial<Record<UserGroupSetting, GroupSettingValue>>>;
}

/** Creates user groups. */
@Injectable()
export class CreateUserGroupService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly permissions: PermissionService,
    private readonly references: GroupReferenceAccess,
    private readonly settings: UserGroupSettingsService,
    private readonly store: GroupStore,
    private readonly events: UserGroupEventsService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Clients receive the first check that fails: permission, people, name, permissions of the group, subgroups. The
   * creator does not become a member, but may add members and manage the group unless other settings were chosen.
   * @returns the ID of the group
   * @throws InsufficientPermission, InvalidUserId, errors of names and group-setting values, InvalidUserGroupId,
   * UserGroupDeactivated
   */
  create(actor: Actor, wanted: NewUserGroup): Promise<number> {
    return this.transactions.runExclusive(async (tx) => {
      const creator = this.users.current(actor);
      if (!this.permissions.allowsInOrganization(creator, 'can_create_groups')) {
        throw new InsufficientPermission();
      }
      const memberIds = this.references.activeAccounts(wanted.memberIds);
      const name = this.store.checkedName(wanted.name);
      const settings = this.settings.complete(wanted.settings, creator.userId);
      this.store.checkNameIsFree(name);
      const subgroupIds = this.references.activeGroups(wanted.subgroupIds);

      const holders = await this.settings.store(tx, settings);
      const { description } = wanted;
      const group = await this.store.insert(tx, { name, description, creatorId: creator.userId, ...holders });
      await this.store.addMembers(tx, group.id, memberIds);
      await this.store.addSubgroups(tx, group.id, subgroupIds);
      this.events.added(tx, userGroupWire({ ...group, name }, memberIds, [], settings));
      this.audit.record(tx, creator, 'group.created', { id: group.id }, { name, ...settings });
      this.audit.record(tx, creator, 'group.member_added', { id: group.id, userId: memberIds });
      if (subgroupIds.length > 0) {
        const details = { added: subgroupIds };
        this.audit.record(tx, creator, 'group.subgroups_changed', { id: group.id }, details);
      }
      if (subgroupIds.length > 0) this.events.subgroupsAdded(tx, group, subgroupIds);
      return group.id;
    });
  }
}

/** Changes to a group. */
export interface UserGroupChanges {
  readonly name?: string;
  readonly description?: string;
  /** Only false has an effect: it reactivates the group. */
  readonly isDeactivated?: boolean;
  readonly settings: Readonly<Partial<Record<UserGroupSetting, GroupSettingChange>>>;
}

/** Changes, deactivates and reactivates user groups. */
@Injectable()
export class UpdateUserGroupService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly access: UserGroupAccess,
    private readonly settings: UserGroupSettingsService,
    private readonly store: GroupStore,
    private readonly events: UserGroupEventsService,
    private readonly records: UserGroupRecords,
    private readonly usage: GroupUsageService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Makes all changes or, on any error, none. Values equal to the current ones change nothing and emit nothing.
   * @throws NoNewGroupData, InvalidUserGroup, InsufficientPermission, errors of names and group-setting values
   */
  async update(actor: Actor, groupId: number, changes: UserGroupChanges): Promise<void> {
    const { name, description, isDeactivated, settings } = changes;
    const given = [name, description, isDeactivated, ...Object.values(settings)];
    if (given.every((value) => value === undefined)) throw new NoNewGroupData();
    await this.transactions.runExclusive(async (tx) => {
      const current = this.users.current(actor);
      const group = this.access.forChange(current, groupId, 'update');
      const described = await this.describe(tx, group, changes);
      const isBack = group.isDeactivated && isDeactivated === false;
      if (isBack) {
        await this.store.update(tx, groupId, { isDeactivated: false });
        this.audit.record(tx, current, 'group.reactivated', { id: groupId });
        this.events.reactivated(tx, this.records.record(group, { ...described, isDeactivated: false }));
      }
      const after = { ...group, isDeactivated: group.isDeactivated && !isBack };
      const changed: Record<string, unknown> = { ...differences(group, described) };
      for (const setting of USER_GROUP_SETTING_NAMES) {
        const change = settings[setting];
        const replaced = change && (await this.changeSetting(tx, after, setting, change));
        if (replaced) changed[setting] = replaced;
      }
      if (Object.keys(changed).length === 0) return;
      this.audit.record(tx, current, 'group.changed', { id: groupId }, changed);
    });
  }

  /**
   * Deactivates a group that nothing depends on; it keeps its members and name. @throws InvalidUserGroup,
   * UserGroupDeactivated, InsufficientPermission, GroupInUse
   */
  async deactivate(actor: Actor, groupId: number): Promise<void> {
    await this.transactions.runExclusive(async (tx) => {
      const current = this.users.current(actor);
      const group = this.access.forChangeWhileActive(current, groupId, 'deactivate');
      const objections = this.usage.objectionsTo(group);
      if (objections.length > 0) throw new GroupInUse(objections);
      await this.store.update(tx, groupId, { isDeactivated: true });
      this.audit.record(tx, current, 'group.deactivated', { id: groupId });
      this.events.deactivated(tx, group);
    });
  }

  /** @returns name and description, if they changed */
  private async describe(
    tx: Transaction,
    group: NamedGroup,
    { name = group.name, description = group.description }: UserGroupChanges,
  ): Promise<{ name?: string; description?: string }> {
    const changed: { name?: string; description?: string } = {};
    const checked = name === group.name ? name : this.store.checkedName(name);
    if (checked !== group.name) {
      this.store.checkNameIsFree(checked);
      changed.name = checked;
    }
    if (description !== group.description) changed.description = description;
    for (const [property, value] of Object.entries(changed)) {
      await this.store.update(tx, group.id, { [property]: value });
      this.events.updated(tx, group, property, value);
    }
    return changed;
  }

  /** @returns the previous and the new value, if it changed */
  private async changeSetting(
    tx: Transaction,
    group: NamedGroup,
    setting: UserGroupSetting,
    change: GroupSettingChange,
  ): Promise<{ readonly from: GroupSettingValue; readonly to: GroupSettingValue } | undefined> {
    const replaced = await this.settings.replace(tx, group, setting, change);
    if (!replaced) return undefined;
    const { from, to, groupId } = replaced;
    await this.store.update(tx, group.id, { [USER_GROUP_SETTINGS[setting].property]: groupId });
    this.events.updated(tx, group, setting, to);
    return { from, to };
  }
}

/**
 * Groups managed from outside the organization, such as by a company directory. Callers check permissions. Each method
 * runs in the caller's exclusive transaction.
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

  /** Sets the members of the group exactly; deactivated people count once they are reactivated. */
  async setMembers(
    tx: Transaction,
    actor: Actor,
    group: NamedGroup,
    wanted: ReadonlySet<number>,
    isQuiet = false,
  ): Promise<void> {
    const addedUserIds = idsWithout(wanted, group.members);
    const removedUserIds = idsWithout(group.members, wanted);
    await this.store.addMembers(tx, group.id, addedUserIds);
    await this.store.removeMembers(tx, group.id, removedUserIds);
    const [came, left] = [this.active(addedUserIds), this.active(removedUserIds)];
    if (came.length > 0) this.events.membersAdded(tx, group, came);
    if (left.length > 0) this.events.membersRemoved(tx, group, left);
    const { id } = group;
    this.audit.record(tx, actor, 'group.member_added', { id, userId: addedUserIds });
    this.audit.record(tx, actor, 'group.member_removed', { id, userId: removedUserIds });
    const after = { id, members: wanted, subgroups: group.subgroups };
    const change = { actor, group, after, addedUserIds, removedUserIds, isQuiet };
    await this.hooks.run(groupMembershipChanged, tx, change);
  }

  /** @throws GroupInUse if permissions depend on it */
  async deactivate(tx: Transaction, actor: Actor, group: NamedGroup): Promise<void> {
    const objections = this.usage.objectionsTo(group);
    if (objections.length > 0) throw new GroupInUse(objections);
    await this.store.update(tx, group.id, { isDeactivated: true });
    this.audit.record(tx, actor, 'group.deactivated', { id: group.id });
    this.events.deactivated(tx, group);
  }

  /** Reactivates a group with its former members. @returns the reactivated group */
  async bringBack(tx: Transaction, actor: Actor, group: NamedGroup): Promise<NamedGroup> {
    await this.store.update(tx, group.id, { isDeactivated: false });
    this.audit.record(tx, actor, 'group.reactivated', { id: group.id });
    this.events.reactivated(tx, this.records.record(group, { isDeactivated: false }));
    return { ...group, isDeactivated: false };
  }

  /** Clients only know active people as members. */
  private active(userIds: readonly number[]): number[] {
    return userIds.filter((userId) => this.accounts.active.has(userId));
  }
}
