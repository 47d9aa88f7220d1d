import { levelChange } from '../level-change';
import { newAnswerKeys, newKeys } from '../keys';

export const change433ImportedPeople = levelChange(
  433,
  'Zulip 12.0, feature level 433: People have `is_imported_stub`.',
  newKeys('user', 'is_imported_stub'),
  newAnswerKeys('GET /users/me', 'is_imported_stub'),
);
