import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import {
  CreateUserGroupService,
  ManagedGroupsService,
  UpdateUserGroupService,
} from './administration/change-user-group.service';
import { ExplainPermissionService } from './explaining/explain-permission.service';
import { GroupDirectory, GroupMembershipDirectory } from './groups/group.directory';
import {
  GroupMembersController,
  PermissionsController,
  UserGroupsController,
} from './user-groups.controller';
import { GroupReferenceAccess, UserGroupAccess } from './permissions/user-group.access';
import { GroupSettingService, KeptByAdministrators } from './permissions/group-setting.service';
import { GroupStore, UserGroupEventsService } from './groups/group-store.service';
import { GroupUsageService, PermissionService } from './permissions/permission.service';
import {
  NewcomerGroupsService,
  ReadGroupMembersService,
  UpdateGroupMembersService,
} from './members/group-members.service';
import {
  OrganizationPermissions,
  PermissionHoldersService,
  UserGroupSettingsService,
} from './permissions/permission-settings.service';
import { SoleHolderService, SystemGroupService } from './members/system-group.service';
import { UserGroupRecords, UserGroupsStateService } from './administration/user-group-records.service';
import { UserGroupMember, UserGroup, UserGroupSubgroup } from './groups/user-group.entity';

/** Providers that other features use: membership, permissions, and hooks into changes of groups. */
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

// Exports for other features.
export { PermissionService, type Requester } from './permissions/permission.service';
export { GroupDirectory, type GroupRecord, type NamedGroup } from './groups/group.directory';
export {
  groupSettingChange,
  type GroupSettingChange,
  groupSettingValue,
  type GroupSettingValue,
} from './groups/group-settings';
export type { GroupObjection } from './groups/group-records.api';
export { type ActivityChange, GroupSettingService } from './permissions/group-setting.service';
export { OrganizationPermissions, PermissionHoldersService } from './permissions/permission-settings.service';
export {
  organizationPermissionsChanged,
  GROUP_PERMISSION_SETTINGS,
  ORGANIZATION_PERMISSION_SETTINGS,
  permissionSettingsWire,
} from './permissions/permissions.api';
export { CreateUserGroupService, ManagedGroupsService } from './administration/change-user-group.service';
export { NewcomerGroupsService, UpdateGroupMembersService } from './members/group-members.service';
export { SoleHolderService, SystemGroupService } from './members/system-group.service';
export { UserGroupEventsService } from './groups/group-store.service';
export {
  type ActionQuestion,
  type ExplainableActions,
  explainableActionsSought,
  type Explanation,
  groupMembershipChanged,
  type GroupMembershipChange,
  dependentPermissionsSought,
  type DependsOn,
} from './user-groups.hooks';
