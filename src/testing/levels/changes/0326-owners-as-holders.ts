import { objectIn } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change326OwnersAsHolders = levelChange(
  326,
  'Zulip 10.0, feature level 326: Permission settings no longer have `allow_owners_group`.',
  { state: allowOwners },
);

function allowOwners(state: Json): void {
  for (const settings of Object.values(objectIn(state, 'server_supported_permission_settings'))) {
    for (const setting of Object.values(settings as Json)) (setting as Json)['allow_owners_group'] = false;
  }
}
