import { objectIn } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change326DescriptionsOfPermissions = levelChange(
  326,
  'Zulip 10.0, feature level 326: `server_supported_permission_settings` no longer have `allow_owners_group` and `id_field_name`.',
  { state: withFormerKeys },
);

function withFormerKeys(state: Json): void {
  for (const settings of Object.values(objectIn(state, 'server_supported_permission_settings'))) {
    for (const [name, setting] of Object.entries(settings as Record<string, Json>)) {
      setting['allow_owners_group'] = false;
      setting['id_field_name'] = `${name}_id`;
    }
  }
}
