import { COMMON_POLICY, policyBefore } from '../policies';
import { levelChange } from '../level-change';

export const change321Inviting = levelChange(
  321,
  'Zulip 10.0, feature level 321: The group `can_invite_users_group` takes the place of `invite_to_realm_policy`.',
  ...policyBefore('can_invite_users_group', 'invite_to_realm_policy', { ...COMMON_POLICY, 'role:nobody': 6 }),
);
