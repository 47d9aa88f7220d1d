import { levelChange } from '../level-change';
import { newStateKeys } from '../keys';

export const change332DeletionOfOrganizations = levelChange(
  332,
  'Zulip 10.0, feature level 332: `server_min_deactivated_realm_deletion_days` and `server_max_deactivated_realm_deletion_days` are new.',
  newStateKeys('server_min_deactivated_realm_deletion_days', 'server_max_deactivated_realm_deletion_days'),
);
