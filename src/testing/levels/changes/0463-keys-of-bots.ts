import { levelChange } from '../level-change';
import { newRoutes } from '../keys';

export const change463KeysOfBots = levelChange(
  463,
  'Zulip 12.0, feature level 463: `GET /bots/{bot_id}/api_key` is new.',
  newRoutes('GET /bots/{bot_id}/api_key'),
);
