import { levelChange } from '../level-change';
import { newEvents } from '../keys';

export const change418ReorderedFolders = levelChange(
  418,
  'Zulip 11.0, feature level 418: `channel_folder/reorder` is new.',
  newEvents('channel_folder/reorder'),
);
