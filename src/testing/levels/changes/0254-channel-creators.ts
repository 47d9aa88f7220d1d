import { levelChange } from '../level-change';
import { newKeys } from '../keys';

export const change254ChannelCreators = levelChange(
  254,
  'Zulip 9.0, feature level 254: Channels have `creator_id`.',
  newKeys('channel', 'creator_id'),
);
