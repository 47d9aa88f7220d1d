import { levelChange } from '../level-change';
import { renamedOrganizationSetting } from '../settings';

export const change241AnnouncementChannels = levelChange(
  241,
  'Zulip 9.0, feature level 241: `new_stream_announcements_stream_id` and `signup_announcements_stream_id` were `notifications_stream_id` and `signup_notifications_stream_id`.',
  renamedOrganizationSetting('notifications_stream_id', 'new_stream_announcements_stream_id'),
  renamedOrganizationSetting('signup_notifications_stream_id', 'signup_announcements_stream_id'),
);
