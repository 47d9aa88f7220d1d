import { asOneGroup } from '../policies';
import { type Json, type LevelContext, levelChange } from '../level-change';

export const change258MentionGroups = levelChange(
  258,
  'Zulip 9.0, feature level 258: `can_mention_group` may be people and several groups; before, it was the number of one group.',
  { records: { group: oneGroup } },
);

function oneGroup(group: Json, context: LevelContext): void {
  if ('can_mention_group' in group)
    group['can_mention_group'] = asOneGroup(group['can_mention_group'], context);
}
