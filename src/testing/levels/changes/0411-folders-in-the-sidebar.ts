import { levelChange } from '../level-change';
import { newPersonalSettings } from '../settings';

export const change411FoldersInTheSidebar = levelChange(
  411,
  'Zulip 11.0, feature level 411: The personal setting `web_left_sidebar_show_channel_folders` is new.',
  newPersonalSettings('web_left_sidebar_show_channel_folders'),
);
