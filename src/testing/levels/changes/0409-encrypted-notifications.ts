import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change409EncryptedNotifications = levelChange(
  409,
  'Zulip 11.0, feature level 409: The setting `require_e2ee_push_notifications` of the organization is new.',
  newOrganizationSettings('require_e2ee_push_notifications'),
);
