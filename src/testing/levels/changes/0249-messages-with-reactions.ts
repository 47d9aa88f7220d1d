import { levelChange } from '../level-change';
import { newNarrowTerms } from '../narrows';

export const change249MessagesWithReactions = levelChange(
  249,
  'Zulip 9.0, feature level 249: `has:reaction` is a filter of messages.',
  newNarrowTerms('has:reaction'),
);
