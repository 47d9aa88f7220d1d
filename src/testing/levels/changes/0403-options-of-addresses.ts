import { objectsIn, without } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change403OptionsOfAddresses = levelChange(
  403,
  'Zulip 11.0, feature level 403: `realm_incoming_webhook_bots` have `url_options`.',
  { state: withoutOptions },
);

function withoutOptions(state: Json): void {
  for (const integration of objectsIn(state, 'realm_incoming_webhook_bots'))
    without(integration, ['url_options']);
}
