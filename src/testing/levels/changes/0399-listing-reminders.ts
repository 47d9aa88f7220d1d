import { levelChange } from '../level-change';
import { newEvents, newRoutes, newStateKeys } from '../keys';

export const change399ListingReminders = levelChange(
  399,
  'Zulip 11.0, feature level 399: Reminders are listed, deleted and told of.',
  newRoutes('GET /reminders', 'DELETE /reminders/{reminder_id}'),
  newStateKeys('reminders'),
  newEvents('reminders'),
);
