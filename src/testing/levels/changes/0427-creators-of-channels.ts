import { objectIn } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change427CreatorsOfChannels = levelChange(
  427,
  'Zulip 12.0, feature level 427: The group that a channel setting begins with is `channel_creator`, which was `stream_creator_or_nobody`.',
  { state: creatorAsBefore },
);

function creatorAsBefore(state: Json): void {
  const settings = objectIn(objectIn(state, 'server_supported_permission_settings'), 'stream');
  for (const setting of Object.values(settings)) {
    const { default_group_name: name } = setting as Json;
    if (name === 'channel_creator') (setting as Json)['default_group_name'] = 'stream_creator_or_nobody';
  }
}
