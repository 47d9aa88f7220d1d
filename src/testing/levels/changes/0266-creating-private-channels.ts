import { COMMON_POLICY, policyBefore } from '../policies';
import { levelChange } from '../level-change';

export const change266CreatingPrivateChannels = levelChange(
  266,
  'Zulip 9.0, feature level 266: The group `can_create_private_channel_group` takes the place of `create_private_stream_policy`.',
  ...policyBefore('can_create_private_channel_group', 'create_private_stream_policy', COMMON_POLICY),
);
