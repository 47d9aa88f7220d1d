import { levelChange } from '../level-change';
import { newRoutes } from '../keys';

export const change470RemovingDevices = levelChange(
  470,
  'Zulip 12.0, feature level 470: `POST /remove_client_device` is new.',
  newRoutes('POST /remove_client_device'),
);
