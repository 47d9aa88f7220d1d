import { newStateKeys } from '../keys';
import { levelChange } from '../level-change';

export const change406DevicesForEncryptedNotifications = levelChange(
  406,
  'Zulip 11.0, feature level 406: `push_devices` is new.',
  newStateKeys('push_devices'),
);
