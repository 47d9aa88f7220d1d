import { objectIn, without } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change479NamesOfFieldTypes = levelChange(
  479,
  'Zulip 12.0, feature level 479: Types of profile fields are called `PARAGRAPH` and `DROPDOWN`, which were `LONG_TEXT` and `SELECT`.',
  { state: formerFieldTypes },
);

function formerFieldTypes(state: Json): void {
  without(objectIn(state, 'custom_profile_field_types'), ['PARAGRAPH', 'DROPDOWN']);
}
