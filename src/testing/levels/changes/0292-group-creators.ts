import { levelChange } from '../level-change';
import { newKeys } from '../keys';

export const change292GroupCreators = levelChange(
  292,
  'Zulip 10.0, feature level 292: User groups have `creator_id` and `date_created`.',
  newKeys('group', 'creator_id', 'date_created'),
);
