import { type Json, levelChange } from '../level-change';
import { newEvents, newRoutes, newStateKeys } from '../keys';

export const change468Devices = levelChange(
  468,
  'Zulip 12.0, feature level 468: Clients register as devices.',
  newRoutes('POST /register_client_device', 'POST /mobile_push/register'),
  newStateKeys('devices'),
  { state: withoutAny },
  newEvents('device'),
);

/** What told of them before, in another form. Clients of that time cannot register any here. */
function withoutAny(state: Json): void {
  if ('realm_name' in state) state['push_devices'] = {};
}
