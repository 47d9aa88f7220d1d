import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change322InvitingToGroups = levelChange(
  322,
  'Zulip 10.0, feature level 322: Invitations take `group_ids`.',
  newParameters('POST /invites', 'group_ids'),
  newParameters('POST /invites/multiuse', 'group_ids'),
);
