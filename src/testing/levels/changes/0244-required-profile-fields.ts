import { levelChange } from '../level-change';
import { newKeys, newParameters } from '../keys';

export const change244RequiredProfileFields = levelChange(
  244,
  'Zulip 9.0, feature level 244: Profile fields have `required`.',
  newKeys('profile field', 'required'),
  newParameters('POST /realm/profile_fields', 'required'),
  newParameters('PATCH /realm/profile_fields/{field_id}', 'required'),
);
