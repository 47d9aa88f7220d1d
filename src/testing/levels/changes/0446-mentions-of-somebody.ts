import { levelChange } from '../level-change';
import { newNarrowTerms } from '../narrows';

export const change446MentionsOfSomebody = levelChange(
  446,
  'Zulip 12.0, feature level 446: `mentions` is a filter of messages.',
  newNarrowTerms('mentions'),
);
