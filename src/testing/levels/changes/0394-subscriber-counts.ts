import { levelChange } from '../level-change';
import { newKeys } from '../keys';

export const change394SubscriberCounts = levelChange(
  394,
  'Zulip 11.0, feature level 394: Channels have `subscriber_count`.',
  newKeys('channel', 'subscriber_count'),
);
