import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';
import { policyBefore } from '../policies';

export const change270DirectMessageGroups = levelChange(
  270,
  'Zulip 9.0, feature level 270: `direct_message_initiator_group` and `direct_message_permission_group` take the place of `private_message_policy`.',
  newOrganizationSettings('direct_message_initiator_group'),
  ...policyBefore('direct_message_permission_group', 'private_message_policy', {
    'role:everyone': 1,
    'role:nobody': 2,
  }),
);
