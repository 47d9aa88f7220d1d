import { levelChange } from '../level-change';
import { newAnswerKeys, newParameters, newStateKeys } from '../keys';

export const change263PresenceUpdates = levelChange(
  263,
  'Zulip 9.0, feature level 263: Presence is asked for from `last_update_id` on.',
  newParameters('POST /users/me/presence', 'last_update_id'),
  newAnswerKeys('POST /users/me/presence', 'presence_last_update_id'),
  newStateKeys('presence_last_update_id'),
);
