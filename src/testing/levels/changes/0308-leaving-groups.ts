import { levelChange } from '../level-change';
import { newGroupSettings } from '../settings';

export const change308LeavingGroups = levelChange(
  308,
  'Zulip 10.0, feature level 308: User groups have the new setting `can_leave_group`.',
  newGroupSettings('can_leave_group'),
);
