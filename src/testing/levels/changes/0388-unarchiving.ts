import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change388Unarchiving = levelChange(
  388,
  'Zulip 11.0, feature level 388: `PATCH /streams/{stream_id}` takes `is_archived`.',
  newParameters('PATCH /streams/{stream_id}', 'is_archived'),
);
