import { levelChange } from '../level-change';
import { newKeys, newParameters } from '../keys';

export const change478AlternativeLinks = levelChange(
  478,
  'Zulip 12.0, feature level 478: Linkifiers have `alternative_url_templates`.',
  newKeys('linkifier', 'alternative_url_templates'),
  newParameters('POST /realm/filters', 'alternative_url_templates'),
  newParameters('PATCH /realm/filters/{filter_id}', 'alternative_url_templates'),
);
