import { Injectable } from '@nestjs/common';
import { UserVisibilityRegistry } from '../users/user-visibility.registry';
import { PermissionService } from './permission.service';

/** Tells users who of the guests sees everybody: those in `can_access_all_users_group` (reference A9). */
@Injectable()
export class AllUsersPermission {
  constructor(permissions: PermissionService, visibility: UserVisibilityRegistry) {
    visibility.setAccessToAll((viewer) =>
      permissions.allowsInOrganization(viewer, 'can_access_all_users_group'),
    );
  }
}
