import { levelChange } from '../level-change';
import { policyBefore } from '../policies';

const WILDCARD = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:administrators': 5,
  'role:nobody': 6,
  'role:moderators': 7,
};

export const change352MentioningMany = levelChange(
  352,
  'Zulip 10.0, feature level 352: The group `can_mention_many_users_group` takes the place of `wildcard_mention_policy`.',
  ...policyBefore('can_mention_many_users_group', 'wildcard_mention_policy', WILDCARD),
);
