import { levelChange } from '../level-change';
import { newGroupSettings } from '../settings';
import { newParameters, newRoutes } from '../keys';

export const change290DeactivatedGroups = levelChange(
  290,
  'Zulip 10.0, feature level 290: User groups are deactivated.',
  newRoutes('POST /user_groups/{user_group_id}/deactivate'),
  newGroupSettings('deactivated'),
  newParameters('GET /user_groups', 'include_deactivated_groups'),
);
