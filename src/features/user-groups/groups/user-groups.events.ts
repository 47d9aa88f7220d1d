import { defineEvent } from '../../../platform/events/server-event';
import type { GroupSettingValue } from './group-setting-value';
import type { UserGroupWire } from './user-group.wire';

interface GroupMembersPayload {
  group_id: number;
  user_ids: readonly number[];
}

interface SubgroupsPayload {
  group_id: number;
  direct_subgroup_ids: readonly number[];
}

/** What a property of a group can be: name, description, whether it is deactivated, a permission. */
export type UserGroupPropertyValue = string | boolean | GroupSettingValue;

/** A group came into sight: made, or brought back for clients that show active groups only. */
export const groupAdded = defineEvent<{ group: UserGroupWire }>('user_group', 'add');

/** A property of a group changed; `data` holds that property. */
export const groupUpdated = defineEvent<{
  group_id: number;
  data: Readonly<Record<string, UserGroupPropertyValue>>;
}>('user_group', 'update');

/** A group was deactivated, for clients that show active groups only. */
export const groupRemoved = defineEvent<{ group_id: number }>('user_group', 'remove');

/** People became direct members of a group. */
export const groupMembersAdded = defineEvent<GroupMembersPayload>('user_group', 'add_members');

/** People are no longer direct members of a group. */
export const groupMembersRemoved = defineEvent<GroupMembersPayload>('user_group', 'remove_members');

/** Groups became direct subgroups of a group. */
export const subgroupsAdded = defineEvent<SubgroupsPayload>('user_group', 'add_subgroups');

/** Groups are no longer direct subgroups of a group. */
export const subgroupsRemoved = defineEvent<SubgroupsPayload>('user_group', 'remove_subgroups');
