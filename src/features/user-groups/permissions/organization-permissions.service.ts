import { type OrganizationPermissionsWire, legacyPolicyWire } from './permissions.api';
import { Injectable } from '@nestjs/common';
import {
  ORGANIZATION_GROUP_SETTING_NAMES,
  type OrganizationGroupSetting,
  type SystemGroupName,
} from '../../organization-settings/organization-settings.module';
import { GroupDirectory } from '../groups/group.directory';
import type { GroupSettingValue } from '../groups/group-setting-value';
import { GroupSettingService } from './group-setting.service';
import { PermissionService } from './permission.service';

/** Shows who holds the permissions of the organization, under the names that clients know. */
@Injectable()
export class OrganizationPermissions {
  constructor(
    private readonly permissions: PermissionService,
    private readonly groupSettings: GroupSettingService,
    private readonly groups: GroupDirectory,
  ) {}

  /** All permissions, with what older clients know in their place. */
  wire(): OrganizationPermissionsWire {
    const settings = ORGANIZATION_GROUP_SETTING_NAMES;
    const parts = settings.map((setting) => {
      const groupId = this.permissions.organizationGroupId(setting);
      return this.wireOf(setting, this.groupSettings.toWire(groupId));
    });
    return Object.assign({}, ...parts) as OrganizationPermissionsWire;
  }

  /** One permission with a value that need not be stored yet, and what older clients know in its place. */
  wireOf(setting: OrganizationGroupSetting, value: GroupSettingValue): Record<string, GroupSettingValue> {
    const group = typeof value === 'number' ? this.groups.namedById(value) : undefined;
    const systemGroup = group?.isSystem ? (group.name as SystemGroupName) : null;
    return { [setting]: value, ...legacyPolicyWire(setting, systemGroup) };
  }
}
