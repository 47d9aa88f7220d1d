import { Module } from '@nestjs/common';
import { OrganizationSettingsModule } from '../organization-settings';
import { UsersModule } from '../users';
import { AllUsersPermission } from './permissions/all-users-permission.service';
import { CreateUserGroupService } from './create-user-group.service';
import { DeactivateUserGroupService } from './administration/deactivate-user-group.service';
import { ExplainableActionRegistry } from './explainable-action.registry';
import { ExplainPermissionService } from './permissions/explain-permission.service';
import { FullMemberPromotion } from './members/full-member-promotion.service';
import { GroupDirectory } from './group.directory';
import { GroupMemberChangeService } from './members/group-member-change.service';
import { GroupMembersController } from './members/group-members.controller';
import { GroupMembershipDirectory } from './members/group-membership.directory';
import { GroupObserverRegistry } from './group-observer.registry';
import { GroupReferenceAccess } from './administration/group-reference.access';
import { GroupSettingService } from './group-setting.service';
import { GroupStore } from './administration/group-store.service';
import { GroupUsageRegistry } from './group-usage.registry';
import { GroupUsageService } from './administration/group-usage.service';
import { MembershipsDataService } from './members/memberships-data.service';
import { OrganizationActions } from './permissions/organization-actions.service';
import { OrganizationPermissions } from './organization-permissions.service';
import { PermissionHoldersService } from './permission-holders.service';
import { PermissionService } from './permission.service';
import { PermissionsController } from './permissions/permissions.controller';
import { ReadUserGroupsService } from './administration/read-user-groups.service';
import { SoleHolderService } from './sole-holder.service';
import { SubgroupChangeService } from './members/subgroup-change.service';
import { SystemGroupService } from './system-group.service';
import { UpdateGroupMembersService } from './members/update-group-members.service';
import { UpdateUserGroupService } from './administration/update-user-group.service';
import { UserGroupActions } from './permissions/user-group-actions.service';
import { UserGroupAccess } from './administration/user-group.access';
import { UserGroupEventsService } from './user-group-events.service';
import { UserGroupRecords } from './administration/user-group-records.service';
import { UserGroupSettingsService } from './administration/user-group-settings.service';
import { UserGroupsController } from './user-groups.controller';
import { UserGroupsStateService } from './user-groups-state.service';

/** What other features use: who is in which group, what that allows, and where they have a say in groups. */
const shared = [
  CreateUserGroupService,
  ExplainableActionRegistry,
  GroupDirectory,
  GroupObserverRegistry,
  GroupSettingService,
  GroupUsageRegistry,
  OrganizationPermissions,
  PermissionHoldersService,
  PermissionService,
  SoleHolderService,
  SystemGroupService,
  UserGroupEventsService,
  UserGroupRecords,
];

/** Groups of people, and the permissions that settings give to them. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule],
  controllers: [UserGroupsController, GroupMembersController, PermissionsController],
  providers: [
    ...shared,
    AllUsersPermission,
    DeactivateUserGroupService,
    ExplainPermissionService,
    FullMemberPromotion,
    GroupMemberChangeService,
    GroupMembershipDirectory,
    GroupReferenceAccess,
    GroupStore,
    GroupUsageService,
    MembershipsDataService,
    OrganizationActions,
    ReadUserGroupsService,
    SubgroupChangeService,
    UpdateGroupMembersService,
    UpdateUserGroupService,
    UserGroupAccess,
    UserGroupActions,
    UserGroupSettingsService,
    UserGroupsStateService,
  ],
  exports: shared,
})
export class UserGroupsModule {}
