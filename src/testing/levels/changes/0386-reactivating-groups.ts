import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change386ReactivatingGroups = levelChange(
  386,
  'Zulip 11.0, feature level 386: `PATCH /user_groups/{user_group_id}` takes `deactivated`.',
  newParameters('PATCH /user_groups/{user_group_id}', 'deactivated'),
);
