import { levelChange } from '../level-change';
import { newEvents, newRoutes, newStateKeys } from '../keys';

export const change468Devices = levelChange(
  468,
  'Zulip 12.0, feature level 468: Clients register as devices.',
  newRoutes('POST /register_client_device', 'POST /mobile_push/register'),
  newStateKeys('devices'),
  newEvents('device'),
);
