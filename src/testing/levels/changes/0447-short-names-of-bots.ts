import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change447ShortNamesOfBots = levelChange(
  447,
  'Zulip 12.0, feature level 447: `PATCH /bots/{bot_id}` takes `short_name`.',
  newParameters('PATCH /bots/{bot_id}', 'short_name'),
);
