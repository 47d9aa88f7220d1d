import { levelChange } from '../level-change';
import { newStateKeys } from '../keys';

export const change442Tenor = levelChange(
  442,
  'Zulip 12.0, feature level 442: `tenor_api_key` is new.',
  newStateKeys('tenor_api_key'),
);
