import { levelChange } from '../level-change';
import { newChannelSettings } from '../settings';
import { newEvents, newRoutes, newStateKeys } from '../keys';

export const change389ChannelFolders = levelChange(
  389,
  'Zulip 11.0, feature level 389: Channels lie in folders.',
  newRoutes(
    'GET /channel_folders',
    'POST /channel_folders/create',
    'PATCH /channel_folders/{channel_folder_id}',
  ),
  newStateKeys('channel_folders'),
  newEvents('channel_folder'),
  newChannelSettings('folder_id'),
);
