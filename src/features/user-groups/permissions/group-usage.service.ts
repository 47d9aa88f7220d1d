import { Injectable } from '@nestjs/common';
import {
  ORGANIZATION_GROUP_SETTING_NAMES,
  ORGANIZATION_GROUP_SETTINGS,
} from '../../organization-settings/organization-settings.module';
import { GroupDirectory, type NamedGroup } from '../groups/group.directory';
import { Hooks } from '../../../platform/hooks/hooks';
import { type RestsOn, restingPermissionsSought } from '../user-groups.hooks';
import { PermissionService } from './permission.service';
import { USER_GROUP_SETTING_NAMES, USER_GROUP_SETTINGS } from '../groups/user-group-settings';
import type { GroupObjection } from '../groups/group-records.api';

/** Says what rests on a group, or on anything else. */
@Injectable()
export class GroupUsageService {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly permissions: PermissionService,
    private readonly hooks: Hooks,
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
      ...this.resting((groupId) => holderIds.has(groupId)),
    ];
  }

  /** Everything in use whose permissions rest on a group. */
  resting(restsOn: RestsOn): GroupObjection[] {
    return [
      ...this.hooks.ask(restingPermissionsSought, restsOn).flat(),
      ...this.groupsResting(restsOn),
      ...this.organizationResting(restsOn),
    ];
  }

  /** Among them may be the very group that is asked about. */
  private groupsResting(restsOn: RestsOn): GroupObjection[] {
    return this.groups
      .named()
      .filter(({ isDeactivated }) => !isDeactivated)
      .map((group) => ({
        type: 'user_group' as const,
        group_id: group.id,
        settings: USER_GROUP_SETTING_NAMES.filter((setting) =>
          restsOn(this.permissions.groupIdIn(group, setting), USER_GROUP_SETTINGS[setting]),
        ),
      }))
      .filter(({ settings }) => settings.length > 0);
  }

  private organizationResting(restsOn: RestsOn): GroupObjection[] {
    const settings = ORGANIZATION_GROUP_SETTING_NAMES.filter((setting) =>
      restsOn(this.permissions.organizationGroupId(setting), ORGANIZATION_GROUP_SETTINGS[setting]),
    );
    return settings.length > 0 ? [{ type: 'realm', settings }] : [];
  }
}
