import { levelChange } from '../level-change';
import { newChannelSettings } from '../settings';

export const change342AddingSubscribers = levelChange(
  342,
  'Zulip 10.0, feature level 342: Channels have the new setting `can_add_subscribers_group`.',
  newChannelSettings('can_add_subscribers_group'),
);
