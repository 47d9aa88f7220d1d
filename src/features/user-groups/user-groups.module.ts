import { Module } from '@nestjs/common';
import { OrganizationModule } from '../organization/organization.module';
import { UsersModule } from '../users/users.module';
import { AllUsersPermission } from './all-users-permission.service';
import { FullMemberPromotion } from './full-member-promotion.service';
import { GroupDirectory } from './group.directory';
import { GroupSettingService } from './group-setting.service';
import { PermissionService } from './permission.service';
import { SystemGroupService } from './system-group.service';

/** Groups of people, and the permissions that settings give to them. */
@Module({
  imports: [OrganizationModule, UsersModule],
  providers: [
    GroupDirectory,
    GroupSettingService,
    PermissionService,
    SystemGroupService,
    FullMemberPromotion,
    AllUsersPermission,
  ],
  exports: [GroupDirectory, GroupSettingService, PermissionService, SystemGroupService],
})
export class UserGroupsModule {}
