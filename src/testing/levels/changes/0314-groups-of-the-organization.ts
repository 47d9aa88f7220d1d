import { isNamed, objectIn } from '../keys';
import { type Json, type LevelContext, levelChange } from '../level-change';
import { asOneGroup, numberAsNew } from '../policies';

const SETTINGS = ['can_access_all_users_group', 'create_multiuse_invite_group'] as const;

export const change314GroupsOfTheOrganization = levelChange(
  314,
  'Zulip 10.0, feature level 314: `can_access_all_users_group` and `create_multiuse_invite_group` may be people and several groups; before, they were the number of one.',
  numberAsNew('PATCH /realm', ...SETTINGS),
  { state: oneGroupEach, event: oneGroupTold },
);

function oneGroupEach(state: Json, context: LevelContext): void {
  for (const setting of SETTINGS) inPlace(state, `realm_${setting}`, context);
}

function oneGroupTold(event: Json, context: LevelContext): Json {
  if (isNamed(event, 'realm/update_dict')) {
    for (const setting of SETTINGS) inPlace(objectIn(event, 'data'), setting, context);
  }
  return event;
}

function inPlace(holder: Json, key: string, context: LevelContext): void {
  if (key in holder) holder[key] = asOneGroup(holder[key], context);
}
