import { Injectable } from '@nestjs/common';
import { initialState, stateFor, type StateReader } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { OrganizationPermissions } from '../permissions/organization-permissions.service';
import { PermissionService } from '../permissions/permission.service';
import { UserGroupRecords } from './user-group-records.service';
import type { RawJson } from '../../../platform/http/raw-json';
import type { UserGroupWire } from '../groups/user-group.wire';

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

/** `realm_user_groups`: the named groups that the client is given, system groups included. */
function userGroupsState(groups: RawJson<UserGroupWire[]>) {
  return { realm_user_groups: groups };
}

/** Permissions of the organization under the names that they have in the state. */
function permissionsState<Permissions extends object>(permissions: Permissions) {
  const named = Object.entries(permissions).map(([name, value]: [string, unknown]) => [
    `realm_${name}`,
    value,
  ]);
  return Object.fromEntries(named) as {
    readonly [Name in keyof Permissions & string as `realm_${Name}`]: Permissions[Name];
  };
}

/** For clients that do not work out for themselves what groups and settings allow. */
function invitationState(mayInvite: boolean) {
  return { can_invite_others_to_realm: mayInvite };
}
