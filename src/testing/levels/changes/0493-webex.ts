import { levelChange } from '../level-change';
import { newStateKeys } from '../keys';

export const change493Webex = levelChange(
  493,
  'Zulip 12.0, feature level 493: `has_webex_token` is new.',
  newStateKeys('has_webex_token'),
);
