import { Injectable } from '@nestjs/common';
import { PermissionService } from './permission.service';
import { GroupReferenceAccess } from './user-group.access';
import { isAdministrator } from '../../../platform/actor';
import { ascending } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { Statement } from '../../../platform/sql/queryable';
import {
  type GroupSettingDefinition,
  SYSTEM_GROUP_NAMES,
  type SystemGroupName,
} from '../../organization-settings/organization-settings.module';
import { AccountDirectory } from '../../users/users.module';
import {
  GroupRefusedBySetting,
  InvalidSettingGroup,
  MembersNotKept,
  OldValueMismatch,
  SystemGroupRequired,
  UserGroupDeactivated,
} from '../groups/group-records.api';
import {
  type AnonymousGroup,
  type GroupSettingChange,
  type GroupSettingValue,
  ONE_BY_ONE,
  type UserGroupSetting,
} from '../groups/group-settings';
import { GroupDirectory, type NamedGroup } from '../groups/group.directory';
import { UserGroup, UserGroupMember, UserGroupSubgroup } from '../groups/user-group.entity';

/** The permissions of a group that allow changing its members. */
const CHANGING_MEMBERS: readonly UserGroupSetting[] = [
  'can_manage_group',
  'can_add_members_group',
  'can_remove_members_group',
  'can_join_group',
  'can_leave_group',
];

/** Determines which groups only administrators can change the members of. */
@Injectable()
export class KeptByAdministrators {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly permissions: PermissionService,
  ) {}

  /**
   * Whether only administrators manage the members of the group and of all its subgroups. System groups count, since
   * administrators assign roles.
   */
  holdsFor(groupId: number): boolean {
    const named = [...this.groups.below(groupId)].flatMap((id) => this.groups.namedById(id) ?? []);
    const own = named.filter(({ isSystem }) => !isSystem);
    if (own.length === 0) return true;
    const managers = this.permissions.organizationGroupId('can_manage_all_groups');
    return this.areAdministrators(managers) && own.every((group) => this.isKept(group));
  }

  private isKept(group: NamedGroup): boolean {
    return CHANGING_MEMBERS.every((setting) =>
      this.areAdministrators(this.permissions.groupIdIn(group, setting)),
    );
  }

  private areAdministrators(holders: number): boolean {
    const members = [...this.groups.membersOf(holders)].flatMap((id) => this.accounts.byId(id) ?? []);
    return members.every((account) => !account.isActive || isAdministrator(account));
  }
}

/** An account that is deactivated or reactivated. */
export interface ActivityChange {
  readonly userId: number;
  readonly isActive: boolean;
  /** Accounts that left earlier in the same transaction. */
  readonly goneBefore?: ReadonlySet<number>;
}

/** Validates, stores and reads values of settings that name a group. */
@Injectable()
export class GroupSettingService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly accounts: AccountDirectory,
    private readonly references: GroupReferenceAccess,
    private readonly kept: KeptByAdministrators,
  ) {}

  /** The value as it is stored and returned: collapsed, sorted, without duplicates. */
  canonical(value: GroupSettingValue): GroupSettingValue {
    if (typeof value === 'number') return value;
    const members = ascending(value.direct_members);
    const subgroups = ascending(value.direct_subgroups);
    if (members.length === 0 && subgroups.length === 0) return this.groups.systemGroupId('role:nobody');
    if (members.length === 0 && subgroups.length === 1) return subgroups[0] as number;
    return { direct_members: members, direct_subgroups: subgroups };
  }

  /**
   * Validates a new value and returns its canonical form. Uses memory only; call it inside an exclusive transaction, in
   * which memory equals the database.
   * @throws InvalidSettingGroup and related errors in group-records.api.ts
   */
  check(setting: string, value: GroupSettingValue, definition: GroupSettingDefinition): GroupSettingValue {
    const canonical = this.canonical(value);
    if (typeof canonical === 'number') this.checkGroup(setting, canonical, definition);
    else this.checkAnonymous(setting, value as AnonymousGroup, definition);
    if (definition.onlyKeptByAdministrators) {
      const named = typeof canonical === 'number' ? [canonical] : canonical.direct_subgroups;
      if (!named.every((groupId) => this.kept.holdsFor(groupId))) throw new MembersNotKept(setting);
    }
    return canonical;
  }

  /**
   * The first value of a setting: the chosen one, validated, or the default.
   * @throws InvalidSettingGroup and related errors in group-records.api.ts
   */
  starting(
    setting: string,
    chosen: GroupSettingValue | undefined,
    definition: GroupSettingDefinition,
    creatorId: number | null,
  ): GroupSettingValue {
    return chosen === undefined
      ? this.initial(definition, creatorId)
      : this.check(setting, chosen, definition);
  }

  /** The default value of a setting. Without a creator, `creator` means `role:nobody`. */
  initial(definition: GroupSettingDefinition, creatorId: number | null): GroupSettingValue {
    if (definition.default !== 'creator') return this.groups.systemGroupId(definition.default);
    if (creatorId === null) return this.groups.systemGroupId('role:nobody');
    return { direct_members: [creatorId], direct_subgroups: [] };
  }

  /**
   * Stores a validated value and returns the ID of the group that represents it. An existing anonymous group is edited
   * in place, or deleted if a named one replaces it.
   */
  async store(tx: Transaction, value: GroupSettingValue, currentGroupId?: number): Promise<number> {
    const current = currentGroupId === undefined ? undefined : this.groups.byId(currentGroupId);
    const reusable = current?.name === null ? current.id : undefined;
    if (typeof value === 'number') {
      if (reusable !== undefined) await this.remove(tx, reusable);
      return value;
    }
    const id = reusable ?? (await this.insertAnonymous(tx));
    if (reusable !== undefined) await this.clear(tx, reusable);
    for (const { sql, parameters } of fillings(id, value)) {
      // A new group is visible to nobody before the end of the transaction, so nothing can clear it again.
      if (reusable === undefined) tx.atEnd(sql, parameters);
      else await tx.query(sql, parameters);
    }
    tx.touch('groups', [id]);
    return id;
  }

  /**
   * Resolves a `{new, old}` change against the stored group. `old` is compared with the value that clients see, which
   * excludes deactivated people.
   * @returns the validated new value; undefined if it equals the current one
   * @throws OldValueMismatch if `old` is given and differs
   */
  changed(
    setting: string,
    change: GroupSettingChange,
    currentGroupId: number,
    definition: GroupSettingDefinition,
  ): GroupSettingValue | undefined {
    const current = this.toWire(currentGroupId);
    if (change.old !== undefined && change.old !== null) {
      const matches = same(this.canonical(change.old), this.canonical(current));
      if (!matches) throw new OldValueMismatch();
    }
    if (same(this.canonical(change.new), current)) return undefined;
    return this.check(setting, change.new, definition);
  }

  /**
   * The value as sent to clients: an ID for named groups, otherwise active members and subgroups.
   * @param change an account that is being deactivated or reactivated, which the directory does not show yet
   */
  toWire(groupId: number, change?: ActivityChange): GroupSettingValue {
    const group = this.groups.byId(groupId);
    if (!group || group.name !== null) return groupId;
    const isActive = (userId: number) => {
      if (userId === change?.userId) return change.isActive;
      return !change?.goneBefore?.has(userId) && this.accounts.byId(userId)?.isActive;
    };
    return {
      direct_members: ascending(group.members).filter(isActive),
      direct_subgroups: ascending(group.subgroups),
    };
  }

  private checkGroup(setting: string, groupId: number, definition: GroupSettingDefinition): void {
    const group = this.groups.byId(groupId);
    if (!group || group.name === null) throw new InvalidSettingGroup(this.expected(definition));
    if (group.isDeactivated) throw new UserGroupDeactivated();
    if (definition.onlySystemGroups && !group.isSystem) throw this.systemGroupRequired(setting, definition);
    if (group.isSystem && refuses(definition, group.name as SystemGroupName)) {
      throw new GroupRefusedBySetting(setting, group.name, this.expected(definition));
    }
  }

  private checkAnonymous(setting: string, value: AnonymousGroup, definition: GroupSettingDefinition): void {
    if (definition.onlySystemGroups) throw this.systemGroupRequired(setting, definition);
    this.references.activeAccounts(value.direct_members);
    this.references.activeGroups(value.direct_subgroups);
  }

  private systemGroupRequired(setting: string, definition: GroupSettingDefinition): SystemGroupRequired {
    return new SystemGroupRequired(setting, this.expected(definition));
  }

  /** Describes valid values, with the IDs of this server's system groups. */
  private expected(definition: GroupSettingDefinition): string {
    const taken = SYSTEM_GROUP_NAMES.filter((name) => !refuses(definition, name));
    const listed = taken.map((name) => `${this.groups.systemGroupId(name)} (${name})`).join(', ');
    return definition.onlySystemGroups
      ? `the ID of a group of the system: ${listed}`
      : `the ID of a group, such as ${listed}; or people and groups one by one: ${JSON.stringify(ONE_BY_ONE)}`;
  }

  private async insertAnonymous(tx: Transaction): Promise<number> {
    const { id } = await tx.queryOne<{ id: number }>(
      `INSERT INTO user_group (name, description, is_system, is_deactivated) VALUES (NULL, '', ?, ?) RETURNING id`,
      [false, false],
    );
    return id;
  }

  private async remove(tx: Transaction, groupId: number): Promise<void> {
    await this.clear(tx, groupId);
    await tx.repository(UserGroup).delete({ id: groupId });
    tx.touch('groups', [groupId]);
  }

  private async clear(tx: Transaction, groupId: number): Promise<void> {
    await tx.repository(UserGroupMember).delete({ groupId });
    await tx.repository(UserGroupSubgroup).delete({ groupId });
  }
}

function refuses(definition: GroupSettingDefinition, name: SystemGroupName): boolean {
  if (name === 'role:internet') return true;
  if (name === 'role:nobody' && !definition.allowsNobody) return true;
  if (name === 'role:everyone' && !definition.allowsEveryone) return true;
  if (definition.refuses?.includes(name)) return true;
  return definition.onlySystemGroups !== undefined && !definition.onlySystemGroups.includes(name);
}

function same(a: GroupSettingValue, b: GroupSettingValue): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return (
    String(ascending(a.direct_members)) === String(ascending(b.direct_members)) &&
    String(ascending(a.direct_subgroups)) === String(ascending(b.direct_subgroups))
  );
}

/** The statements that fill an empty group. */
function fillings(
  groupId: number,
  { direct_members: userIds, direct_subgroups: subgroupIds }: AnonymousGroup,
): Statement[] {
  const statements: Statement[] = [];
  if (userIds.length > 0) {
    const sql =
      'INSERT INTO user_group_member (group_id, user_id) SELECT CAST(? AS INTEGER), id FROM account WHERE id IN (?)';
    statements.push({ sql, parameters: [groupId, userIds] });
  }
  if (subgroupIds.length > 0) {
    const sql = `INSERT INTO user_group_subgroup (group_id, subgroup_id)
      SELECT CAST(? AS INTEGER), id FROM user_group WHERE id IN (?)`;
    statements.push({ sql, parameters: [groupId, subgroupIds] });
  }
  return statements;
}
