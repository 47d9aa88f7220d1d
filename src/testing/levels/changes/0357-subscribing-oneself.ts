import { levelChange } from '../level-change';
import { newChannelSettings } from '../settings';

export const change357SubscribingOneself = levelChange(
  357,
  'Zulip 10.0, feature level 357: Channels have the new setting `can_subscribe_group`.',
  newChannelSettings('can_subscribe_group'),
);
