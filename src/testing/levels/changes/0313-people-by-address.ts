import { newParameters, newRoutes } from '../keys';
import { levelChange } from '../level-change';

export const change313PeopleByAddress = levelChange(
  313,
  'Zulip 10.0, feature level 313: `PATCH /users/{email}` is new, and `PATCH /users/{user_id}` takes `new_email`.',
  newRoutes('PATCH /users/{email}'),
  newParameters('PATCH /users/{user_id}', 'new_email'),
);
