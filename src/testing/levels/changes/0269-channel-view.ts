import { levelChange } from '../level-change';
import { newPersonalSettings } from '../settings';

export const change269ChannelView = levelChange(
  269,
  'Zulip 9.0, feature level 269: The personal setting `web_channel_default_view` is new.',
  newPersonalSettings('web_channel_default_view'),
);
