import { levelChange } from '../level-change';
import { newKeys, newParameters } from '../keys';

export const change455FieldsForMatching = levelChange(
  455,
  'Zulip 12.0, feature level 455: Profile fields have `use_for_user_matching`.',
  newKeys('profile field', 'use_for_user_matching'),
  newParameters('POST /realm/profile_fields', 'use_for_user_matching'),
  newParameters('PATCH /realm/profile_fields/{field_id}', 'use_for_user_matching'),
);
