import { levelChange } from '../level-change';
import { newStateKeys } from '../keys';

export const change410LimitsOfFolders = levelChange(
  410,
  'Zulip 11.0, feature level 410: `max_channel_folder_name_length` and `max_channel_folder_description_length` are new.',
  newStateKeys('max_channel_folder_name_length', 'max_channel_folder_description_length'),
);
