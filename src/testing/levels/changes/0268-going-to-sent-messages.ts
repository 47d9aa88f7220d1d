import { levelChange } from '../level-change';
import { newPersonalSettings } from '../settings';

export const change268GoingToSentMessages = levelChange(
  268,
  'Zulip 9.0, feature level 268: The personal setting `web_navigate_to_sent_message` is new.',
  newPersonalSettings('web_navigate_to_sent_message'),
);
