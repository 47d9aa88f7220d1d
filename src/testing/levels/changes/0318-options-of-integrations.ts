import { objectsIn } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change318OptionsOfIntegrations = levelChange(
  318,
  'Zulip 10.0, feature level 318: `config_options` of `realm_incoming_webhook_bots`, a list, was `config`, an object.',
  { state: optionsAsObject },
);

/** No integration ever had any. */
function optionsAsObject(state: Json): void {
  for (const integration of objectsIn(state, 'realm_incoming_webhook_bots')) {
    delete integration['config_options'];
    integration['config'] = {};
  }
}
