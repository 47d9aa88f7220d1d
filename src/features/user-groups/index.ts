/** What other features use of this one. Nothing else of it is imported from outside. */

/** The module. */
export { UserGroupsModule } from './user-groups.module';

/** Who holds a permission, decided in one place. */
export { PermissionService, type Requester } from './permissions/permission.service';

/** Groups in memory, how the interface refers to them, and the objections to taking one away. */
export { GroupDirectory, type GroupRecord, type NamedGroup } from './groups/group.directory';
export {
  groupSettingChange,
  type GroupSettingChange,
  groupSettingValue,
  type GroupSettingValue,
} from './groups/group-setting-value';
export type { GroupObjection } from './groups/user-group.wire';

/** Settings that give a permission to a group, and those of the organization as clients see them. */
export { type ActivityChange, GroupSettingService } from './permissions/group-setting.service';
export { OrganizationPermissions } from './permissions/organization-permissions.service';
export { organizationPermissionsChanged } from './permissions/organization-permissions.events';
export { PermissionHoldersService } from './permissions/permission-holders.service';
export {
  GROUP_PERMISSION_SETTINGS,
  ORGANIZATION_PERMISSION_SETTINGS,
  permissionSettingsWire,
} from './permissions/permission-settings.wire';

/** Making groups, changing who is in them, and keeping those of roles in step with accounts. */
export { CreateUserGroupService } from './administration/create-user-group.service';
export { NewcomerGroupsService } from './members/newcomer-groups.service';
export { SystemGroupService } from './members/system-group.service';
export { UpdateGroupMembersService } from './members/update-group-members.service';
export { SoleHolderService } from './members/sole-holder.service';
export { UserGroupEventsService } from './groups/user-group-events.service';

/** Hooks: changes of membership, and what groups ask of the features above them. */
export {
  type ActionQuestion,
  type ExplainableActions,
  explainableActionsSought,
  type Explanation,
  groupMembershipChanged,
  type GroupMembershipChange,
  restingPermissionsSought,
  type RestsOn,
} from './user-groups.hooks';
