import { levelChange } from '../level-change';
import { newGroupSettings } from '../settings';

export const change283ManagingGroups = levelChange(
  283,
  'Zulip 10.0, feature level 283: User groups have the new setting `can_manage_group`.',
  newGroupSettings('can_manage_group'),
);
