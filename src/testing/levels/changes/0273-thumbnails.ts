import { levelChange } from '../level-change';
import { newStateKeys } from '../keys';

export const change273Thumbnails = levelChange(
  273,
  'Zulip 9.0, feature level 273: `server_thumbnail_formats` is new.',
  newStateKeys('server_thumbnail_formats'),
);
