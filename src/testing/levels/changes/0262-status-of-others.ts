import { levelChange } from '../level-change';
import { newRoutes } from '../keys';

export const change262StatusOfOthers = levelChange(
  262,
  'Zulip 9.0, feature level 262: `GET /users/{user_id}/status` is new.',
  newRoutes('GET /users/{user_id}/status'),
);
