import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change444SettingsOfOthers = levelChange(
  444,
  'Zulip 12.0, feature level 444: `PATCH /settings` takes `target_users`.',
  newParameters('PATCH /settings', 'target_users'),
);
