import { levelChange } from '../level-change';
import { newChannelSettings } from '../settings';

export const change441BeginningTopics = levelChange(
  441,
  'Zulip 12.0, feature level 441: Channels have the new setting `can_create_topic_group`.',
  newChannelSettings('can_create_topic_group'),
);
