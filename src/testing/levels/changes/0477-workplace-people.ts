import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change477WorkplacePeople = levelChange(
  477,
  'Zulip 12.0, feature level 477: The setting `workplace_users_group` of the organization is new.',
  newOrganizationSettings('workplace_users_group'),
);
