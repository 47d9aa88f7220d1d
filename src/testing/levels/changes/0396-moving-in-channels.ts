import { levelChange } from '../level-change';
import { newChannelSettings } from '../settings';

export const change396MovingInChannels = levelChange(
  396,
  'Zulip 11.0, feature level 396: Channels have the new settings `can_move_messages_within_channel_group` and `can_move_messages_out_of_channel_group`.',
  newChannelSettings('can_move_messages_within_channel_group', 'can_move_messages_out_of_channel_group'),
);
