/** What other features use of this one. Nothing else of it is imported from outside. */
export { CreateUserGroupService } from './create-user-group.service';
export {
  type ActionQuestion,
  ExplainableActionRegistry,
  type ExplainableActions,
} from './explainable-action.registry';
export {
  type GroupMembershipChange,
  type GroupObserver,
  GroupObserverRegistry,
} from './group-observer.registry';
export {
  type ActivityChange,
  type GroupSettingChange,
  GroupSettingService,
  type GroupSettingValue,
} from './group-setting.service';
export { GroupUsageRegistry, type GroupUsageSource, type RestsOn } from './group-usage.registry';
export { GroupDirectory, type GroupRecord, type NamedGroup } from './group.directory';
export { OrganizationPermissions } from './organization-permissions.service';
export { PermissionHoldersService } from './permission-holders.service';
export {
  GROUP_PERMISSION_SETTINGS,
  ORGANIZATION_PERMISSION_SETTINGS,
  permissionSettingsWire,
} from './permission-settings.wire';
export { type Explanation, PermissionService, type Requester } from './permission.service';
export { SoleHolderService } from './sole-holder.service';
export { SystemGroupService } from './system-group.service';
export { UserGroupEventsService } from './user-group-events.service';
export type { GroupObjection } from './user-group.wire';
export { organizationPermissionsChanged } from './user-groups.events';
export { UserGroupsModule } from './user-groups.module';
