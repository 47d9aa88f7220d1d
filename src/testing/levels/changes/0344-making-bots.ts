import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';
import { policyBefore } from '../policies';

export const change344MakingBots = levelChange(
  344,
  'Zulip 10.0, feature level 344: `can_create_bots_group` and `can_create_write_only_bots_group` take the place of `bot_creation_policy`.',
  newOrganizationSettings('can_create_write_only_bots_group'),
  ...policyBefore('can_create_bots_group', 'bot_creation_policy', {
    'role:members': 1,
    'role:administrators': 3,
  }),
);
