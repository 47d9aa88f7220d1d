import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change261InvitingToDefaults = levelChange(
  261,
  'Zulip 9.0, feature level 261: Invitations take `include_realm_default_subscriptions`.',
  newParameters('POST /invites', 'include_realm_default_subscriptions'),
  newParameters('POST /invites/multiuse', 'include_realm_default_subscriptions'),
);
