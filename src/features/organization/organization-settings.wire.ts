import type { OrganizationSettings } from './organization-settings';

/** Settings whose name on the wire differs from the one inside. */
const WIRE_NAMES: Partial<Record<keyof OrganizationSettings, string>> = {
  new_channel_announcements_channel_id: 'new_stream_announcements_stream_id',
  signup_announcements_channel_id: 'signup_announcements_stream_id',
  update_announcements_channel_id: 'zulip_update_announcements_stream_id',
  move_messages_within_channel_limit_seconds: 'move_messages_within_stream_limit_seconds',
  move_messages_between_channels_limit_seconds: 'move_messages_between_streams_limit_seconds',
};

/** The name under which clients know an organization setting. */
export function wireNameOf(setting: keyof OrganizationSettings): string {
  return WIRE_NAMES[setting] ?? setting;
}
