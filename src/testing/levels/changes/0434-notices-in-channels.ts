import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change434NoticesInChannels = levelChange(
  434,
  'Zulip 12.0, feature level 434: The setting `send_channel_events_messages` of the organization is new.',
  newOrganizationSettings('send_channel_events_messages'),
);
