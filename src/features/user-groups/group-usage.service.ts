import { Injectable } from '@nestjs/common';
import {
  ORGANIZATION_GROUP_SETTINGS,
  type OrganizationGroupSetting,
} from '../organization/organization-settings';
import { GroupDirectory, type NamedGroup } from './group.directory';
import { GroupUsageRegistry } from './group-usage.registry';
import { PermissionService } from './permission.service';
import { USER_GROUP_SETTING_NAMES } from './user-group-settings';
import type { GroupObjection } from './user-group.wire';

const ORGANIZATION_SETTINGS = Object.keys(ORGANIZATION_GROUP_SETTINGS) as OrganizationGroupSetting[];

/** Says what rests on a group (groups reference 6.6). */
@Injectable()
export class GroupUsageService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly permissions: PermissionService,
    private readonly registry: GroupUsageRegistry,
  ) {}

  /** Everything that keeps the group from being deactivated; empty when nothing does. */
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
      ...this.registry.objectionsTo(holderIds),
      ...this.groupsResting(holderIds),
      ...this.organizationResting(holderIds),
    ];
  }

  /** Groups that use it in their permissions, which may be the group itself. */
  private groupsResting(holderIds: ReadonlySet<number>): GroupObjection[] {
    return this.groups
      .named()
      .filter(({ isDeactivated }) => !isDeactivated)
      .map((group) => ({
        type: 'user_group' as const,
        group_id: group.id,
        settings: USER_GROUP_SETTING_NAMES.filter((setting) =>
          holderIds.has(this.permissions.groupIdIn(group, setting)),
        ),
      }))
      .filter(({ settings }) => settings.length > 0);
  }

  private organizationResting(holderIds: ReadonlySet<number>): GroupObjection[] {
    const settings = ORGANIZATION_SETTINGS.filter((setting) =>
      holderIds.has(this.permissions.organizationGroupId(setting)),
    );
    return settings.length > 0 ? [{ type: 'realm', settings }] : [];
  }
}
