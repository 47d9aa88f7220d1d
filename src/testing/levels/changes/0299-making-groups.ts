import { COMMON_POLICY, policyBefore } from '../policies';
import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change299MakingGroups = levelChange(
  299,
  'Zulip 10.0, feature level 299: `can_create_groups` and `can_manage_all_groups` take the place of `user_group_edit_policy`.',
  newOrganizationSettings('can_manage_all_groups'),
  ...policyBefore('can_create_groups', 'user_group_edit_policy', COMMON_POLICY),
);
