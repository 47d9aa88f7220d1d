import { newAnswerKeys } from '../keys';
import { levelChange } from '../level-change';

export const change317NumberOfTheGroup = levelChange(
  317,
  'Zulip 10.0, feature level 317: `POST /user_groups/create` answers with `group_id`.',
  newAnswerKeys('POST /user_groups/create', 'group_id'),
);
