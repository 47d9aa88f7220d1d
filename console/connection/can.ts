import type { GroupSetting } from './records';
import { channels, groups, myId, organization } from './state';

/** Whether a permission includes the user, directly or through nested groups. */
export function includesMe(setting: GroupSetting | undefined): boolean {
  if (setting === undefined) return false;
  if (typeof setting !== 'number' && setting.direct_members.includes(myId.value)) return true;
  const waiting = typeof setting === 'number' ? [setting] : [...setting.direct_subgroups];
  const seen = new Set<number>();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const group = groups.value.get(id);
    if (!group || seen.has(id)) continue;
    seen.add(id);
    if (group.members.includes(myId.value)) return true;
    waiting.push(...group.direct_subgroup_ids);
  }
  return false;
}

type Permission = `can_${string}_group`;

/**
 * Whether the user may do something in the organization or in one of its channels, according to the state. Menus use it
 * to hide what the server would most likely refuse.
 */
export function may(permission: Permission, channelId?: number): boolean {
  const inChannel = channelId === undefined ? undefined : channels.value.get(channelId)?.[permission];
  return (
    includesMe(organization.value[`realm_${permission}`] as GroupSetting | undefined) || includesMe(inChannel)
  );
}

/** Whether a time limit has not passed yet. @param name name of the setting, in seconds */
export function isInTime(name: string, since: number): boolean {
  const limit = organization.value[`realm_${name}`];
  return typeof limit !== 'number' || Date.now() / 1000 < since + limit;
}
