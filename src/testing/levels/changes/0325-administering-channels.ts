import { levelChange } from '../level-change';
import { newChannelSettings } from '../settings';

export const change325AdministeringChannels = levelChange(
  325,
  'Zulip 10.0, feature level 325: Channels have the new setting `can_administer_channel_group`.',
  newChannelSettings('can_administer_channel_group'),
);
