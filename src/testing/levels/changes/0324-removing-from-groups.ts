import { levelChange } from '../level-change';
import { newGroupSettings } from '../settings';

export const change324RemovingFromGroups = levelChange(
  324,
  'Zulip 10.0, feature level 324: User groups have the new setting `can_remove_members_group`.',
  newGroupSettings('can_remove_members_group'),
);
