import { Injectable } from '@nestjs/common';
import { isGuest, type KeyLimit, type Role } from '../../../platform/actor';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  type GroupSettingDefinition,
  ORGANIZATION_GROUP_SETTING_NAMES,
  ORGANIZATION_GROUP_SETTINGS,
  OrganizationDirectory,
  type OrganizationGroupSetting,
  type SystemGroupName,
} from '../../organization-settings/organization-settings.module';
import { accessToAllUsersPort, AccountDirectory, type Viewer } from '../../users/users.module';
import type { GroupObjection } from '../groups/group-records.api';
import {
  USER_GROUP_SETTING_NAMES,
  USER_GROUP_SETTINGS,
  type UserGroupSetting,
} from '../groups/group-settings';
import { GroupDirectory, type GroupRecord, type NamedGroup } from '../groups/group.directory';
import {
  type ExplainedGroup,
  type Explanation,
  dependentPermissionsSought,
  type DependsOn,
} from '../user-groups.hooks';

/** The properties of an actor or account that determine its permissions. */
export interface Requester {
  readonly userId: number;
  readonly role: Role;
  /** The groups to assume, to check a change before it is made; by default, the current ones. */
  readonly groupIds?: ReadonlySet<number>;
  /** The limit of the named API key in use; it restricts the accessible channels, not the permissions. */
  readonly limit?: KeyLimit | null;
}

/** The result of a check: only `member` grants the permission. */
type Verdict = 'member' | 'not a member' | 'not open to guests' | 'deactivated account';

/** The single place that decides whether a person has a permission that a setting grants to a group. */
@Injectable()
export class PermissionService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    hooks: Hooks,
  ) {
    hooks.provide(accessToAllUsersPort, { mayAccessAll: (viewer) => this.mayAccessAllUsers(viewer) });
  }

  /**
   * Whether the requester is in the group of the setting. Guests never hold a permission whose setting excludes
   * `role:everyone`, and deactivated accounts never hold any.
   */
  allows(who: Requester, groupId: number, definition: GroupSettingDefinition): boolean {
    return this.decide(who, groupId, definition) === 'member';
  }

  /**
   * The result of {@link allows} with its reason: the groups from that of the setting down to the one with the person.
   */
  explain(who: Requester, groupId: number, definition: GroupSettingDefinition): Explanation {
    const verdict = this.decide(who, groupId, definition);
    if (verdict === 'member') {
      const path = this.groups.pathTo(who.userId, groupId).map(describe);
      return { allowed: true, chain: [...path, 'direct member'] };
    }
    const group = this.groups.byId(groupId);
    return { allowed: false, chain: [...(group ? [describe(group)] : []), verdict] };
  }

  /** Whether the requester holds a permission of the organization. */
  allowsInOrganization(who: Requester, setting: OrganizationGroupSetting): boolean {
    return this.allows(who, this.organizationGroupId(setting), ORGANIZATION_GROUP_SETTINGS[setting]);
  }

  /** Whether the requester holds a permission of the organization, with the reason. */
  explainInOrganization(who: Requester, setting: OrganizationGroupSetting): Explanation {
    const groupId = this.organizationGroupId(setting);
    const { allowed, chain } = this.explain(who, groupId, ORGANIZATION_GROUP_SETTINGS[setting]);
    return { allowed, chain: [setting, ...chain] };
  }

  /** Whether a permission of the organization is disabled: its group can never have members. */
  isHeldByNobody(setting: OrganizationGroupSetting): boolean {
    return this.organizationGroupId(setting) === this.groups.systemGroupId('role:nobody');
  }

  /** Whether the requester holds a permission of a user group. */
  allowsInGroup(who: Requester, group: GroupRecord, setting: UserGroupSetting): boolean {
    return this.allows(who, this.groupIdIn(group, setting), USER_GROUP_SETTINGS[setting]);
  }

  /** Whether the requester holds a permission of a user group, with the reason. */
  explainInGroup(who: Requester, group: GroupRecord, setting: UserGroupSetting): Explanation {
    const groupId = this.groupIdIn(group, setting);
    const { allowed, chain } = this.explain(who, groupId, USER_GROUP_SETTINGS[setting]);
    return { allowed, chain: [setting, ...chain] };
  }

  /** The group that holds a permission of a user group; `role:nobody` if none was ever stored. */
  groupIdIn(group: GroupRecord, setting: UserGroupSetting): number {
    return group[USER_GROUP_SETTINGS[setting].property] ?? this.groups.systemGroupId('role:nobody');
  }

  /** The group that holds a permission of the organization. */
  organizationGroupId(setting: OrganizationGroupSetting): number {
    const initial = ORGANIZATION_GROUP_SETTINGS[setting].default as SystemGroupName;
    return this.organization.groupSetting(setting) ?? this.groups.systemGroupId(initial);
  }

  private decide(who: Requester, groupId: number, definition: GroupSettingDefinition): Verdict {
    if (isGuest(who) && !definition.allowsEveryone) return 'not open to guests';
    const around = who.groupIds ?? this.groups.groupsOf(who.userId);
    if (!around.has(groupId)) return 'not a member';
    return this.accounts.byId(who.userId)?.isActive ? 'member' : 'deactivated account';
  }

  /** Whether a person sees all people; those without an account are in no group, and see as much as any guest. */
  private mayAccessAllUsers(viewer: Viewer | null): boolean {
    if (viewer) return this.allowsInOrganization(viewer, 'can_access_all_users_group');
    const groupId = this.organizationGroupId('can_access_all_users_group');
    return groupId === this.groups.systemGroupId('role:everyone');
  }
}

/** Anonymous groups have no visible ID. */
function describe({ id, name }: GroupRecord): ExplainedGroup {
  return { group: name === null ? null : { id, name } };
}

/** Finds everything that depends on a group. */
@Injectable()
export class GroupUsageService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly permissions: PermissionService,
    private readonly hooks: Hooks,
  ) {}

  /** Everything that prevents the group from being deactivated; empty if nothing does. */
  objectionsTo(group: NamedGroup): GroupObjection[] {
    const parents = this.groups.parentsOfGroup(group.id);
    const anonymous = parents.filter(({ name }) => name === null);
    const holderIds = new Set([group.id, ...anonymous.map(({ id }) => id)]);
    const supergroupIds = parents
      .filter(({ name, isDeactivated }) => name !== null && !isDeactivated)
      .map(({ id }) => id);
    return [
      ...(supergroupIds.length > 0
        ? [{ type: 'subgroup' as const, supergroup_ids: supergroupIds.sort((a, b) => a - b) }]
        : []),
      ...this.dependents((groupId) => holderIds.has(groupId)),
    ];
  }

  /** Active objects whose permissions depend on a group. */
  dependents(dependsOn: DependsOn): GroupObjection[] {
    return [
      ...this.hooks.ask(dependentPermissionsSought, dependsOn).flat(),
      ...this.dependentGroups(dependsOn),
      ...this.dependentSettings(dependsOn),
    ];
  }

  /** May include the group in question itself. */
  private dependentGroups(dependsOn: DependsOn): GroupObjection[] {
    return this.groups
      .named()
      .filter(({ isDeactivated }) => !isDeactivated)
      .map((group) => ({
        type: 'user_group' as const,
        group_id: group.id,
        settings: USER_GROUP_SETTING_NAMES.filter((setting) =>
          dependsOn(this.permissions.groupIdIn(group, setting), USER_GROUP_SETTINGS[setting]),
        ),
      }))
      .filter(({ settings }) => settings.length > 0);
  }

  private dependentSettings(dependsOn: DependsOn): GroupObjection[] {
    const settings = ORGANIZATION_GROUP_SETTING_NAMES.filter((setting) =>
      dependsOn(this.permissions.organizationGroupId(setting), ORGANIZATION_GROUP_SETTINGS[setting]),
    );
    return settings.length > 0 ? [{ type: 'realm', settings }] : [];
  }
}
