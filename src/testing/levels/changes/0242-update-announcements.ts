import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change242UpdateAnnouncements = levelChange(
  242,
  'Zulip 9.0, feature level 242: The setting `zulip_update_announcements_stream_id` of the organization is new.',
  newOrganizationSettings('zulip_update_announcements_stream_id'),
);
