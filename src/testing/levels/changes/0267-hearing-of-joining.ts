import { levelChange } from '../level-change';
import { newKeys, newParameters } from '../keys';

export const change267HearingOfJoining = levelChange(
  267,
  'Zulip 9.0, feature level 267: Invitations take `notify_referrer_on_join`, and say so.',
  newParameters('POST /invites', 'notify_referrer_on_join'),
  newKeys('invitation', 'notify_referrer_on_join'),
);
