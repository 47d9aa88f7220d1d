import { CHANNEL_RACES } from './channels';
import { GROUP_RACES } from './groups';
import { LATER_RACES } from './later';
import { MESSAGE_RACES } from './messages';
import { ORGANIZATION_RACES } from './organization';
import { PEOPLE_RACES } from './people';
import { PERSONAL_RACES } from './personal';
import type { Races } from './race';

/** Every pair of operations that conflict, by what they are about. */
export const RACES: Readonly<Record<string, Races>> = {
  messages: MESSAGE_RACES,
  'what happens later': LATER_RACES,
  channels: CHANNEL_RACES,
  people: PEOPLE_RACES,
  groups: GROUP_RACES,
  'what is personal': PERSONAL_RACES,
  organization: ORGANIZATION_RACES,
};
