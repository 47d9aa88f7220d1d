import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change285AddressOfOthers = levelChange(
  285,
  'Zulip 10.0, feature level 285: `PATCH /users/{user_id}` takes `new_email`.',
  newParameters('PATCH /users/{user_id}', 'new_email'),
);
