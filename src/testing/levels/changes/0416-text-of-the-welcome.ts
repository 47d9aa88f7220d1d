import { levelChange } from '../level-change';
import { newOrganizationSettings } from '../settings';
import { newParameters, newRoutes } from '../keys';

export const change416TextOfTheWelcome = levelChange(
  416,
  'Zulip 11.0, feature level 416: The organization has a text of its own for newcomers.',
  newOrganizationSettings('welcome_message_custom_text'),
  newParameters('POST /invites', 'welcome_message_custom_text'),
  newParameters('POST /invites/multiuse', 'welcome_message_custom_text'),
  newRoutes('POST /realm/test_welcome_bot_custom_message'),
);
