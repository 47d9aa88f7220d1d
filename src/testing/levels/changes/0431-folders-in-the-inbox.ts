import { levelChange } from '../level-change';
import { newPersonalSettings } from '../settings';

export const change431FoldersInTheInbox = levelChange(
  431,
  'Zulip 12.0, feature level 431: The personal setting `web_inbox_show_channel_folders` is new.',
  newPersonalSettings('web_inbox_show_channel_folders'),
);
