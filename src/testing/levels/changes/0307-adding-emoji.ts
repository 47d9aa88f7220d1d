import { COMMON_POLICY, policyBefore } from '../policies';
import { levelChange } from '../level-change';

export const change307AddingEmoji = levelChange(
  307,
  'Zulip 10.0, feature level 307: The group `can_add_custom_emoji_group` takes the place of `add_custom_emoji_policy`.',
  ...policyBefore('can_add_custom_emoji_group', 'add_custom_emoji_policy', COMMON_POLICY),
);
