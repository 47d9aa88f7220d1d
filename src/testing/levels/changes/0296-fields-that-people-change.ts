import { levelChange } from '../level-change';
import { newKeys, newParameters } from '../keys';

export const change296FieldsThatPeopleChange = levelChange(
  296,
  'Zulip 10.0, feature level 296: Profile fields have `editable_by_user`.',
  newKeys('profile field', 'editable_by_user'),
  newParameters('POST /realm/profile_fields', 'editable_by_user'),
  newParameters('PATCH /realm/profile_fields/{field_id}', 'editable_by_user'),
);
