import { levelChange } from '../level-change';
import { newNarrowTerms } from '../narrows';

export const change265FollowedTopics = levelChange(
  265,
  'Zulip 9.0, feature level 265: `is:followed` is a filter of messages.',
  newNarrowTerms('is:followed'),
);
