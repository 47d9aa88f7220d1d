import type { RawJson } from '../../../platform/http/raw-json';
import type { UserGroupWire } from '../groups/user-group.wire';

/** `realm_user_groups`: the named groups that the client is given, system groups included. */
export function userGroupsState(groups: RawJson<UserGroupWire[]>) {
  return { realm_user_groups: groups };
}

/** Permissions of the organization under the names that they have in the state. */
export function permissionsState<Permissions extends object>(permissions: Permissions) {
  const named = Object.entries(permissions).map(([name, value]: [string, unknown]) => [
    `realm_${name}`,
    value,
  ]);
  return Object.fromEntries(named) as {
    readonly [Name in keyof Permissions & string as `realm_${Name}`]: Permissions[Name];
  };
}

/** For clients that do not work out for themselves what groups and settings allow. */
export function invitationState(mayInvite: boolean) {
  return { can_invite_others_to_realm: mayInvite };
}
