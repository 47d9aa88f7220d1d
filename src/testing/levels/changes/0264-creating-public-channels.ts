import { COMMON_POLICY, policyBefore } from '../policies';
import { levelChange } from '../level-change';

export const change264CreatingPublicChannels = levelChange(
  264,
  'Zulip 9.0, feature level 264: The group `can_create_public_channel_group` takes the place of `create_public_stream_policy`.',
  ...policyBefore('can_create_public_channel_group', 'create_public_stream_policy', COMMON_POLICY),
);
