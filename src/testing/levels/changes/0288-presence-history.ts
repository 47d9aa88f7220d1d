import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change288PresenceHistory = levelChange(
  288,
  'Zulip 10.0, feature level 288: Presence is asked for by `history_limit_days`.',
  newParameters('POST /users/me/presence', 'history_limit_days'),
  newParameters('POST /register', 'presence_history_limit_days'),
);
