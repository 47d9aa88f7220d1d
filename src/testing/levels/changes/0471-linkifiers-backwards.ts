import { levelChange } from '../level-change';
import { newKeys, newParameters } from '../keys';

export const change471LinkifiersBackwards = levelChange(
  471,
  'Zulip 12.0, feature level 471: Linkifiers have `example_input` and `reverse_template`.',
  newKeys('linkifier', 'example_input', 'reverse_template'),
  newParameters('POST /realm/filters', 'example_input', 'reverse_template'),
  newParameters('PATCH /realm/filters/{filter_id}', 'example_input', 'reverse_template'),
);
