import { COMMON_POLICY, policyBefore } from '../policies';
import { levelChange } from '../level-change';

export const change310MovingBetweenChannels = levelChange(
  310,
  'Zulip 10.0, feature level 310: The group `can_move_messages_between_channels_group` takes the place of `move_messages_between_streams_policy`.',
  ...policyBefore('can_move_messages_between_channels_group', 'move_messages_between_streams_policy', {
    ...COMMON_POLICY,
    'role:nobody': 6,
  }),
);
