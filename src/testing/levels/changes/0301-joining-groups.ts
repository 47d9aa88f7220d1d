import { levelChange } from '../level-change';
import { newGroupSettings } from '../settings';

export const change301JoiningGroups = levelChange(
  301,
  'Zulip 10.0, feature level 301: User groups have the new setting `can_join_group`.',
  newGroupSettings('can_join_group'),
);
