import { levelChange } from '../level-change';
import { newAnswerKeys, newStateKeys } from '../keys';

export const change257OrganizationAddress = levelChange(
  257,
  'Zulip 9.0, feature level 257: `realm_url` takes the place of `realm_uri`.',
  newStateKeys('realm_url'),
  newAnswerKeys('GET /server_settings', 'realm_url'),
);
