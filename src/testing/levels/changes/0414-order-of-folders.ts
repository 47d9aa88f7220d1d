import { levelChange } from '../level-change';
import { newKeys, newRoutes } from '../keys';

export const change414OrderOfFolders = levelChange(
  414,
  'Zulip 11.0, feature level 414: Channel folders have an `order`.',
  newKeys('channel folder', 'order'),
  newRoutes('PATCH /channel_folders'),
);
