import { levelChange } from '../level-change';
import { newStateKeys } from '../keys';

export const change338LongestPassword = levelChange(
  338,
  'Zulip 10.0, feature level 338: `password_max_length` is new.',
  newStateKeys('password_max_length'),
);
