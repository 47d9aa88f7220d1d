import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change246UniqueNames = levelChange(
  246,
  'Zulip 9.0, feature level 246: The setting `require_unique_names` of the organization is new.',
  newOrganizationSettings('require_unique_names'),
);
