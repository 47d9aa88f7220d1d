import { asOneGroup } from '../policies';
import { type Json, type LevelContext, levelChange } from '../level-change';

export const change314GroupsOfTheOrganization = levelChange(
  314,
  'Zulip 10.0, feature level 314: `can_access_all_users_group` and `create_multiuse_invite_group` may be people and several groups; before, they were the number of one.',
  { state: oneGroupEach },
);

function oneGroupEach(state: Json, context: LevelContext): void {
  for (const key of ['realm_can_access_all_users_group', 'realm_create_multiuse_invite_group']) {
    if (key in state) state[key] = asOneGroup(state[key], context);
  }
}
