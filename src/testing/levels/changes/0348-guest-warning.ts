import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change348GuestWarning = levelChange(
  348,
  'Zulip 10.0, feature level 348: The setting `enable_guest_user_dm_warning` of the organization is new.',
  newOrganizationSettings('enable_guest_user_dm_warning'),
);
