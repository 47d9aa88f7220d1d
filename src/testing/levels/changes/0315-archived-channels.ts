import { levelChange } from '../level-change';
import { newKeys, newParameters } from '../keys';

export const change315ArchivedChannels = levelChange(
  315,
  'Zulip 10.0, feature level 315: Channels have `is_archived`, and `GET /streams` takes `exclude_archived`.',
  newKeys('channel', 'is_archived'),
  newParameters('GET /streams', 'exclude_archived'),
);
