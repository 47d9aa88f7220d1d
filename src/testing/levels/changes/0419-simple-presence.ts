import { levelChange } from '../level-change';
import { newCapability } from '../keys';

export const change419SimplePresence = levelChange(
  419,
  'Zulip 11.0, feature level 419: Clients declare `simplified_presence_events`.',
  newCapability('simplified_presence_events'),
);
