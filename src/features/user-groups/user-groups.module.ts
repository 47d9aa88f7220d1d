import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { CreateUserGroupService } from './administration/create-user-group.service';
import { ExplainPermissionService } from './explaining/explain-permission.service';
import { GroupDirectory } from './groups/group.directory';
import { GroupMembersController } from './members/group-members.controller';
import { GroupMembershipDirectory } from './groups/group-membership.directory';
import { ManagedGroupsService } from './administration/managed-groups.service';
import { GroupReferenceAccess } from './groups/group-reference.access';
import { GroupSettingService } from './permissions/group-setting.service';
import { GroupStore } from './groups/group-store.service';
import { GroupUsageService } from './permissions/group-usage.service';
import { KeptByAdministrators } from './permissions/kept-by-administrators.service';
import { NewcomerGroupsService } from './members/newcomer-groups.service';
import { OrganizationPermissions } from './permissions/organization-permissions.service';
import { PermissionHoldersService } from './permissions/permission-holders.service';
import { PermissionService } from './permissions/permission.service';
import { PermissionsController } from './explaining/permissions.controller';
import { ReadGroupMembersService } from './members/read-group-members.service';
import { SoleHolderService } from './members/sole-holder.service';
import { SystemGroupService } from './members/system-group.service';
import { UpdateGroupMembersService } from './members/update-group-members.service';
import { UpdateUserGroupService } from './administration/update-user-group.service';
import { UserGroupAccess } from './permissions/user-group.access';
import { UserGroupEventsService } from './groups/user-group-events.service';
import { UserGroupRecords } from './administration/user-group-records.service';
import { UserGroupSettingsService } from './permissions/user-group-settings.service';
import { UserGroupsController } from './administration/user-groups.controller';
import { UserGroupsStateService } from './administration/user-groups-state.service';
import { UserGroupMember, UserGroup, UserGroupSubgroup } from './groups/user-group.entity';

/** What other features use: who is in which group, what that allows, and where they have a say in groups. */
const shared = [
  CreateUserGroupService,
  GroupDirectory,
  GroupSettingService,
  ManagedGroupsService,
  NewcomerGroupsService,
  OrganizationPermissions,
  PermissionHoldersService,
  PermissionService,
  SoleHolderService,
  SystemGroupService,
  UpdateGroupMembersService,
  UserGroupEventsService,
  UserGroupRecords,
];

/** User groups, nesting, members, and permissions by group. */
@Module({
  imports: [
    TypeOrmModule.forFeature([UserGroupMember, UserGroupSubgroup, UserGroup]),
    AuditModule,
    OrganizationSettingsModule,
    UsersModule,
  ],
  controllers: [UserGroupsController, GroupMembersController, PermissionsController],
  providers: [
    ...shared,
    ExplainPermissionService,
    GroupMembershipDirectory,
    GroupReferenceAccess,
    GroupStore,
    GroupUsageService,
    KeptByAdministrators,
    ReadGroupMembersService,
    UpdateUserGroupService,
    UserGroupAccess,
    UserGroupSettingsService,
    UserGroupsStateService,
  ],
  exports: shared,
})
export class UserGroupsModule {}

// What other features may import.
export { PermissionService, type Requester } from './permissions/permission.service';
export { GroupDirectory, type GroupRecord, type NamedGroup } from './groups/group.directory';
export {
  groupSettingChange,
  type GroupSettingChange,
  groupSettingValue,
  type GroupSettingValue,
} from './groups/group-setting-value';
export type { GroupObjection } from './groups/group-records.api';
export { type ActivityChange, GroupSettingService } from './permissions/group-setting.service';
export { OrganizationPermissions } from './permissions/organization-permissions.service';
export {
  organizationPermissionsChanged,
  GROUP_PERMISSION_SETTINGS,
  ORGANIZATION_PERMISSION_SETTINGS,
  permissionSettingsWire,
} from './permissions/permissions.api';
export { PermissionHoldersService } from './permissions/permission-holders.service';
export { ManagedGroupsService } from './administration/managed-groups.service';
export { CreateUserGroupService } from './administration/create-user-group.service';
export { NewcomerGroupsService } from './members/newcomer-groups.service';
export { SystemGroupService } from './members/system-group.service';
export { UpdateGroupMembersService } from './members/update-group-members.service';
export { SoleHolderService } from './members/sole-holder.service';
export { UserGroupEventsService } from './groups/user-group-events.service';
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
