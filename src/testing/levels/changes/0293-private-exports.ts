import { levelChange } from '../level-change';
import { newPersonalSettings } from '../settings';

export const change293PrivateExports = levelChange(
  293,
  'Zulip 10.0, feature level 293: The personal setting `allow_private_data_export` is new.',
  newPersonalSettings('allow_private_data_export'),
);
