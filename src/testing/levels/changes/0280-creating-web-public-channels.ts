import { levelChange } from '../level-change';
import { policyBefore } from '../policies';

export const change280CreatingWebPublicChannels = levelChange(
  280,
  'Zulip 10.0, feature level 280: The group `can_create_web_public_channel_group` takes the place of `create_web_public_stream_policy`.',
  ...policyBefore('can_create_web_public_channel_group', 'create_web_public_stream_policy', {
    'role:administrators': 2,
    'role:moderators': 4,
    'role:nobody': 6,
    'role:owners': 7,
  }),
);
