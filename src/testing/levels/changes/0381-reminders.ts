import { levelChange } from '../level-change';
import { newRoutes } from '../keys';

export const change381Reminders = levelChange(
  381,
  'Zulip 11.0, feature level 381: `POST /reminders` is new.',
  newRoutes('POST /reminders'),
);
