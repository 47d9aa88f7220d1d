import { otherValue } from '../keys';
import { levelChange } from '../level-change';
import { newPersonalSettingValue } from '../settings';

export const change383ViewOfTopics = levelChange(
  383,
  'Zulip 11.0, feature level 383: `web_channel_default_view` may be 3, the list of topics.',
  newPersonalSettingValue('web_channel_default_view', '3'),
  otherValue('personal settings', 'web_channel_default_view', (view) => (view === 3 ? 1 : view)),
);
