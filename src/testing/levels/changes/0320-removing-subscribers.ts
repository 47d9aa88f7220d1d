import { isNamed } from '../keys';
import { type Json, type LevelContext, levelChange } from '../level-change';
import { asOneGroup, numberAsNew } from '../policies';

const SETTING = 'can_remove_subscribers_group';

export const change320RemovingSubscribers = levelChange(
  320,
  'Zulip 10.0, feature level 320: `can_remove_subscribers_group` may be people and several groups; before, it was the number of one group.',
  numberAsNew('PATCH /streams/{stream_id}', SETTING),
  { records: { channel: oneGroup }, event: oneGroupTold },
);

function oneGroup(channel: Json, context: LevelContext): void {
  if (SETTING in channel) channel[SETTING] = asOneGroup(channel[SETTING], context);
}

function oneGroupTold(event: Json, context: LevelContext): Json {
  if (isNamed(event, 'stream/update') && event['property'] === SETTING)
    event['value'] = asOneGroup(event['value'], context);
  return event;
}
