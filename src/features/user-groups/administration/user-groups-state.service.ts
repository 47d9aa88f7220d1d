import { Injectable } from '@nestjs/common';
import { initialState, stateFor, type StateReader } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { OrganizationPermissions } from '../permissions/organization-permissions.service';
import { PermissionService } from '../permissions/permission.service';
import { UserGroupRecords } from './user-group-records.service';
import { userGroupsState } from '../groups/user-group.wire';
import { invitationState, permissionsState } from '../permissions/permission-settings.wire';

/** Clients that do not declare this must not hear of groups that are out of use. */
const DEACTIVATED_GROUPS = 'include_deactivated_groups';

/** Tells clients that register which groups there are, and who holds the permissions of the organization. */
@Injectable()
export class UserGroupsStateService {
  constructor(
    private readonly permissions: PermissionService,
    groups: UserGroupRecords,
    organization: OrganizationPermissions,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm_user_groups', (_, { capabilities }) =>
        userGroupsState(groups.list(capabilities.has(DEACTIVATED_GROUPS))),
      ),
    );
    hooks.on(
      initialState,
      stateFor('realm', () => permissionsState(organization.wire())),
    );
    hooks.on(
      initialState,
      stateFor('realm_user', (_, { reader }) => invitationState(this.mayInvite(reader))),
    );
  }

  private mayInvite(reader: StateReader | null): boolean {
    return reader !== null && this.permissions.allowsInOrganization(reader, 'can_invite_users_group');
  }
}
