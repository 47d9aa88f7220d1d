import { levelChange } from '../level-change';
import { newParameterValue } from '../keys';

export const change412SomeSubscribers = levelChange(
  412,
  'Zulip 11.0, feature level 412: `include_subscribers` may be `partial`.',
  newParameterValue('POST /register', 'include_subscribers', 'partial'),
  newParameterValue('GET /users/me/subscriptions', 'include_subscribers', 'partial'),
);
