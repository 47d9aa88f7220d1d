import { COMMON_POLICY, policyBefore } from '../policies';
import { levelChange } from '../level-change';

export const change291DeletingOwnMessages = levelChange(
  291,
  'Zulip 10.0, feature level 291: The group `can_delete_own_message_group` takes the place of `delete_own_message_policy`.',
  ...policyBefore('can_delete_own_message_group', 'delete_own_message_policy', {
    ...COMMON_POLICY,
    'role:everyone': 5,
  }),
);
