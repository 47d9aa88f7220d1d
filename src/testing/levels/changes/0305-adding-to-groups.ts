import { levelChange } from '../level-change';
import { newGroupSettings } from '../settings';

export const change305AddingToGroups = levelChange(
  305,
  'Zulip 10.0, feature level 305: User groups have the new setting `can_add_members_group`.',
  newGroupSettings('can_add_members_group'),
);
