import { defineEvent } from '../../platform/events/server-event';

interface GroupMembersPayload {
  group_id: number;
  user_ids: number[];
}

/** People became direct members of a group (groups reference 7). */
export const groupMembersAdded = defineEvent<GroupMembersPayload>('user_group', 'add_members');

/** People are no longer direct members of a group (groups reference 7). */
export const groupMembersRemoved = defineEvent<GroupMembersPayload>('user_group', 'remove_members');
