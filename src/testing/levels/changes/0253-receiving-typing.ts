import { levelChange } from '../level-change';
import { newPersonalSettings } from '../settings';

export const change253ReceivingTyping = levelChange(
  253,
  'Zulip 9.0, feature level 253: The personal setting `receives_typing_notifications` is new.',
  newPersonalSettings('receives_typing_notifications'),
);
