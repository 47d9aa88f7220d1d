import { levelChange } from '../level-change';
import { newChannelSettings } from '../settings';

export const change333Posting = levelChange(
  333,
  'Zulip 10.0, feature level 333: Channels have the new setting `can_send_message_group`.',
  newChannelSettings('can_send_message_group'),
);
