import { newAnswerKeys, newKeys } from '../keys';
import { levelChange } from '../level-change';

export const change490DeletedPeople = levelChange(
  490,
  'Zulip 12.0, feature level 490: People whose data was deleted have `is_deleted`.',
  newKeys('user', 'is_deleted'),
  newAnswerKeys('GET /users/me', 'is_deleted'),
);
