import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change469SizeOfPreviews = levelChange(
  469,
  'Zulip 12.0, feature level 469: The setting `media_preview_size` of the organization is new.',
  newOrganizationSettings('media_preview_size'),
);
