import type { RawJson } from '../../platform/http/raw-json';
import type { GroupSettingValue } from './group-setting.service';

export function userGroupsState(groups: RawJson) {
  return { realm_user_groups: groups };
}

/** Permissions of the organization under the names that they have in the state. */
export function permissionsState(permissions: Readonly<Record<string, GroupSettingValue>>) {
  return Object.fromEntries(Object.entries(permissions).map(([name, value]) => [`realm_${name}`, value]));
}

/** For clients that do not work out for themselves what groups and settings allow. */
export function invitationState(mayInvite: boolean) {
  return { can_invite_others_to_realm: mayInvite };
}
