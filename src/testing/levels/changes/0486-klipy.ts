import { levelChange } from '../level-change';
import { newStateKeys } from '../keys';

export const change486Klipy = levelChange(
  486,
  'Zulip 12.0, feature level 486: `klipy_api_key` is new.',
  newStateKeys('klipy_api_key'),
);
