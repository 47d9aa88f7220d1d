import { otherValue } from '../keys';
import { levelChange } from '../level-change';
import { newPersonalSettingValue } from '../settings';

export const change401ViewOfUnreadTopic = levelChange(
  401,
  'Zulip 11.0, feature level 401: `web_channel_default_view` may be 4, the first topic with unread messages.',
  newPersonalSettingValue('web_channel_default_view', '4'),
  otherValue('personal settings', 'web_channel_default_view', (view) => (view === 4 ? 1 : view)),
);
