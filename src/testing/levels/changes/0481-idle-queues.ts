import { levelChange } from '../level-change';
import { newParameters, newStateKeys } from '../keys';

export const change481IdleQueues = levelChange(
  481,
  'Zulip 12.0, feature level 481: `POST /register` takes `idle_queue_timeout`.',
  newParameters('POST /register', 'idle_queue_timeout'),
  newStateKeys('idle_queue_timeout_secs'),
);
