import { Injectable } from '@nestjs/common';
import { UserVisibilityRegistry } from '../../users';
import { GroupDirectory } from '../groups/group.directory';
import { PermissionService } from './permission.service';

/**
 * Tells users who of the guests sees everybody: those in `can_access_all_users_group` (reference A9). Whoever has
 * no account is in no group, and sees as much as any guest.
 */
@Injectable()
export class AllUsersPermission {
  constructor(permissions: PermissionService, groups: GroupDirectory, visibility: UserVisibilityRegistry) {
    visibility.setAccessToAll((viewer) =>
      viewer
        ? permissions.allowsInOrganization(viewer, 'can_access_all_users_group')
        : permissions.organizationGroupId('can_access_all_users_group') ===
          groups.systemGroupId('role:everyone'),
    );
  }
}
