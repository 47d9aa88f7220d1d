import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change384SomePeople = levelChange(
  384,
  'Zulip 11.0, feature level 384: `GET /users` takes `user_ids`.',
  newParameters('GET /users', 'user_ids'),
);
