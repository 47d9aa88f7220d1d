/** What other features use of this one. Nothing else of it is imported from outside. */
export { CreateUserGroupService } from './administration/create-user-group.service';
export {
  groupSettingChange,
  type GroupSettingChange,
  groupSettingValue,
  type GroupSettingValue,
} from './groups/group-setting-value';
export { type ActivityChange, GroupSettingService } from './permissions/group-setting.service';
export { GroupDirectory, type GroupRecord, type NamedGroup } from './groups/group.directory';
export { OrganizationPermissions } from './permissions/organization-permissions.service';
export { PermissionHoldersService } from './permissions/permission-holders.service';
export {
  GROUP_PERMISSION_SETTINGS,
  ORGANIZATION_PERMISSION_SETTINGS,
  permissionSettingsWire,
} from './permissions/permission-settings.wire';
export type { Explanation } from './user-groups.hooks';
export { PermissionService, type Requester } from './permissions/permission.service';
export { SoleHolderService } from './members/sole-holder.service';
export { SystemGroupService } from './members/system-group.service';
export { UserGroupEventsService } from './groups/user-group-events.service';
export type { GroupObjection } from './groups/user-group.wire';
export { organizationPermissionsChanged } from './permissions/organization-permissions.events';
export { UserGroupsModule } from './user-groups.module';
export {
  type ActionQuestion,
  type ExplainableActions,
  explainableActionsSought,
  groupMembershipChanged,
  type GroupMembershipChange,
  restingPermissionsSought,
  type RestsOn,
} from './user-groups.hooks';
