import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change300MessagesById = levelChange(
  300,
  'Zulip 10.0, feature level 300: `GET /messages` takes `message_ids`.',
  newParameters('GET /messages', 'message_ids'),
);
