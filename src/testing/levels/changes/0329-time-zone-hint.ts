import { levelChange } from '../level-change';
import { newPersonalSettings } from '../settings';

export const change329TimeZoneHint = levelChange(
  329,
  'Zulip 10.0, feature level 329: The personal setting `web_suggest_update_timezone` is new.',
  newPersonalSettings('web_suggest_update_timezone'),
);
