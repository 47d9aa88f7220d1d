import { levelChange } from '../level-change';
import { newRoutes } from '../keys';

export const change440ChannelsOfOthers = levelChange(
  440,
  'Zulip 12.0, feature level 440: `GET /users/{user_id}/channels` is new.',
  newRoutes('GET /users/{user_id}/channels'),
);
