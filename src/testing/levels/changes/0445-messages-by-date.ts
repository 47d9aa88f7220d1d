import { levelChange } from '../level-change';
import { newParameterValue, newParameters } from '../keys';

export const change445MessagesByDate = levelChange(
  445,
  'Zulip 12.0, feature level 445: `GET /messages` takes `anchor_date`.',
  newParameters('GET /messages', 'anchor_date'),
  newParameterValue('GET /messages', 'anchor', 'date'),
);
