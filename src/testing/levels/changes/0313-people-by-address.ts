import { levelChange } from '../level-change';
import { newRoutes } from '../keys';

export const change313PeopleByAddress = levelChange(
  313,
  'Zulip 10.0, feature level 313: `PATCH /users/{email}` is new.',
  newRoutes('PATCH /users/{email}'),
);
