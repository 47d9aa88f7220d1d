/** The texts of the settings of a group, which are loaded with them. */

export const settings = {
  name: { label: 'Name' },
  description: { label: 'Description' },
  can_manage_group: {
    label: 'Who can manage the group',
    hint: 'In addition to people who can manage every group.',
  },
  can_mention_group: { label: 'Who can mention the group', hint: 'A mention notifies all members.' },
  can_add_members_group: {
    label: 'Who can add members',
    hint: 'In addition to people who can manage the group.',
  },
  can_remove_members_group: {
    label: 'Who can remove members',
    hint: 'In addition to people who can manage the group.',
  },
  can_join_group: { label: 'Who can join', hint: 'In addition to people who can add members.' },
  can_leave_group: { label: 'Who can leave', hint: 'In addition to people who can manage the group.' },
};
