import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change438AccessOfOwners = levelChange(
  438,
  'Zulip 12.0, feature level 438: The setting `owner_full_content_access` of the organization is new.',
  newOrganizationSettings('owner_full_content_access'),
);
