import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import { accessToAllUsersPort, type Viewer } from '../../users';
import { GroupDirectory } from '../groups/group.directory';
import { PermissionService } from './permission.service';

/**
 * Tells users who of the guests sees everybody: those in `can_access_all_users_group`. Whoever has
 * no account is in no group, and sees as much as any guest.
 */
@Injectable()
export class AllUsersPermission {
  constructor(
    private readonly permissions: PermissionService,
    private readonly groups: GroupDirectory,
    hooks: Hooks,
  ) {
    hooks.provide(accessToAllUsersPort, this);
  }

  mayAccessAll(viewer: Viewer | null): boolean {
    if (viewer) return this.permissions.allowsInOrganization(viewer, 'can_access_all_users_group');
    const groupId = this.permissions.organizationGroupId('can_access_all_users_group');
    return groupId === this.groups.systemGroupId('role:everyone');
  }
}
