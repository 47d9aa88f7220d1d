import { levelChange } from '../level-change';
import { newRoutes } from '../keys';

export const change382Reporting = levelChange(
  382,
  'Zulip 11.0, feature level 382: Messages are reported to the moderators.',
  newRoutes('POST /messages/{message_id}/report'),
);
