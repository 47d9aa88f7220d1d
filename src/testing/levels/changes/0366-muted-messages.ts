import { levelChange } from '../level-change';
import { newNarrowTerms } from '../narrows';

export const change366MutedMessages = levelChange(
  366,
  'Zulip 10.0, feature level 366: `is:muted` is a filter of messages.',
  newNarrowTerms('is:muted'),
);
