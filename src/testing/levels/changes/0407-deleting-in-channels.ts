import { levelChange } from '../level-change';
import { newChannelSettings, newOrganizationSettings } from '../settings';
import { newRoutes } from '../keys';

export const change407DeletingInChannels = levelChange(
  407,
  'Zulip 11.0, feature level 407: Channels say who deletes messages, and administrators set the status of others.',
  newChannelSettings('can_delete_any_message_group', 'can_delete_own_message_group'),
  newOrganizationSettings('can_set_delete_message_policy_group'),
  newRoutes('POST /users/{user_id}/status'),
);
