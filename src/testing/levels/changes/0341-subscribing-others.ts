import { COMMON_POLICY, policyBefore } from '../policies';
import { levelChange } from '../level-change';

export const change341SubscribingOthers = levelChange(
  341,
  'Zulip 10.0, feature level 341: The group `can_add_subscribers_group` takes the place of `invite_to_stream_policy`.',
  ...policyBefore('can_add_subscribers_group', 'invite_to_stream_policy', COMMON_POLICY),
);
