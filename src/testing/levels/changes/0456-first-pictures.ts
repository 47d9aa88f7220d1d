import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change456FirstPictures = levelChange(
  456,
  'Zulip 12.0, feature level 456: The setting `default_avatar_source` of the organization is new.',
  newOrganizationSettings('default_avatar_source'),
);
