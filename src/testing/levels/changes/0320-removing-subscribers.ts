import { asOneGroup } from '../policies';
import { type Json, type LevelContext, levelChange } from '../level-change';

export const change320RemovingSubscribers = levelChange(
  320,
  'Zulip 10.0, feature level 320: `can_remove_subscribers_group` may be people and several groups; before, it was the number of one group.',
  { records: { channel: oneGroup } },
);

function oneGroup(channel: Json, context: LevelContext): void {
  const key = 'can_remove_subscribers_group';
  if (key in channel) channel[key] = asOneGroup(channel[key], context);
}
