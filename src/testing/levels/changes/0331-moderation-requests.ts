import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';

export const change331ModerationRequests = levelChange(
  331,
  'Zulip 10.0, feature level 331: The setting `moderation_request_channel_id` of the organization is new.',
  newOrganizationSettings('moderation_request_channel_id'),
);
