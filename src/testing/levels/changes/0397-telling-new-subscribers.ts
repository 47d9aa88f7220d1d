import { levelChange } from '../level-change';
import { newAnswerKeys, newParameters, newStateKeys } from '../keys';

export const change397TellingNewSubscribers = levelChange(
  397,
  'Zulip 11.0, feature level 397: `POST /users/me/subscriptions` takes `send_new_subscription_messages`, and says whether they were sent.',
  newParameters('POST /users/me/subscriptions', 'send_new_subscription_messages'),
  newAnswerKeys('POST /users/me/subscriptions', 'new_subscription_messages_sent'),
  newStateKeys('max_bulk_new_subscription_messages'),
);
