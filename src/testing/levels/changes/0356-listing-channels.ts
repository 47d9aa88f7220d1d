import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change356ListingChannels = levelChange(
  356,
  'Zulip 10.0, feature level 356: `GET /streams` takes `include_all` and `include_can_access_content`.',
  newParameters('GET /streams', 'include_all', 'include_can_access_content'),
);
