import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change311SubgroupsAtOnce = levelChange(
  311,
  'Zulip 10.0, feature level 311: Groups are created with `subgroups`, and `add_subgroups` and `delete_subgroups` stand beside `add` and `delete`.',
  newParameters('POST /user_groups/create', 'subgroups'),
  newParameters('POST /user_groups/{user_group_id}/members', 'add_subgroups', 'delete_subgroups'),
);
