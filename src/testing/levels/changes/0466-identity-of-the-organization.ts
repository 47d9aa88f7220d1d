import { levelChange } from '../level-change';
import { newStateKeys } from '../keys';

export const change466IdentityOfTheOrganization = levelChange(
  466,
  'Zulip 12.0, feature level 466: `realm_uuid` is new.',
  newStateKeys('realm_uuid'),
);
