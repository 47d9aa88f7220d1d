import { levelChange } from '../level-change';
import { newNarrowTerms } from '../narrows';

export const change489MessagesInArchivedChannels = levelChange(
  489,
  'Zulip 12.0, feature level 489: `channels:archived` is a filter of messages.',
  newNarrowTerms('channels:archived'),
);
