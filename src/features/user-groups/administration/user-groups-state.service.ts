import { Injectable } from '@nestjs/common';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { OrganizationPermissions } from '../permissions/organization-permissions.service';
import { UserGroupRecords } from './user-group-records.service';
import { userGroupsState } from '../groups/group-records.api';
import { permissionsState } from '../permissions/permissions.api';

/** Clients that do not declare this must not hear of groups that are out of use. */
const DEACTIVATED_GROUPS = 'include_deactivated_groups';

/** Tells clients that register which groups there are, and who holds the permissions of the organization. */
@Injectable()
export class UserGroupsStateService {
  constructor(groups: UserGroupRecords, organization: OrganizationPermissions, hooks: Hooks) {
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
  }
}
